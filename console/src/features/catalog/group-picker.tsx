import { type ReactNode, useDeferredValue, useState } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Picker } from '../../ui/picker.tsx';
import { productsWords } from './products/words.ts';

export type GroupKind = 'brand' | 'category';
type Named = { id: string; name_en: string; name_ar: string };

const OPTIONS = 30;

/** One brand or category by id: products and addresses hold only the id. */
export function useGroup(kind: GroupKind, id: string | undefined): Named | undefined {
  const isBrand = kind === 'brand';
  const given = { path: { id: id ?? '' } };
  const kept = { staleTime: 300_000 };
  const brand = useRead('getBrand', given, { ...kept, enabled: isBrand && id !== undefined });
  const category = useRead('getCategory', given, { ...kept, enabled: !isBrand && id !== undefined });
  return (isBrand ? brand : category).data;
}

export function GroupPicker(props: {
  kind: GroupKind;
  id: string | undefined;
  onChoose(id: string | undefined): void;
  hideLabel?: boolean;
  label?: string;
  placeholder?: string;
  error?: string | undefined;
}): ReactNode {
  const t = useWords(productsWords);
  const name = useName();
  const { kind, id, onChoose } = props;
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const [isAsked, setAsked] = useState(false);
  const given = { query: { limit: OPTIONS, sort: 'name_en', ...(search !== '' && { search }) } };
  const options = { keepPrevious: true, staleTime: 60_000 };
  const brands = useRead('listBrands', given, { ...options, enabled: kind === 'brand' && isAsked });
  const categories = useRead('listCategories', given, { ...options, enabled: kind === 'category' && isAsked });
  const chosen = useGroup(kind, id);
  const optionOf = (group: Named) => ({ id: group.id, text: name(group) });
  return (
    <div onFocusCapture={() => setAsked(true)} onPointerEnter={() => setAsked(true)}>
      <Picker
        label={props.label ?? t(`field.${kind}_id`)}
        hideLabel={props.hideLabel === true}
        placeholder={props.placeholder ?? t('none')}
        chosen={chosen === undefined ? undefined : optionOf(chosen)}
        options={((kind === 'brand' ? brands : categories).data?.data ?? []).map(optionOf)}
        onText={setText}
        onChoose={(option) => onChoose(option?.id)}
        empty={t(`nothing.${kind}`)}
        error={props.error}
      />
    </div>
  );
}
