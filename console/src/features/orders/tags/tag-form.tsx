import { type FormEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Button, Field } from '../../../ui/index.ts';
import { hasTag, MAX_TAG_CHARACTERS } from './change-tags.ts';
import { tagsWords } from './words.ts';

const MAX_SUGGESTED = 6;

/** A field for a tag, with the most used ones that match what is typed. */
export function TagForm(props: {
  /** The tags that are there already. */
  used: readonly string[];
  isBusy: boolean;
  onAdd(tag: string): Promise<void>;
}): ReactNode {
  const t = useWords(tagsWords);
  const { used, isBusy, onAdd } = props;
  const [text, setText] = useState('');
  const known = useRead('listOrderTags', {});
  const tag = text.trim();
  const isTooLong = [...tag].length > MAX_TAG_CHARACTERS;
  const error = isTooLong
    ? t('tooLong', { limit: MAX_TAG_CHARACTERS })
    : tag !== '' && hasTag(used, tag)
      ? t('isThere')
      : undefined;
  const suggested = (known.data?.data ?? [])
    .map((row) => row.tag)
    .filter((one) => !hasTag(used, one) && one.toLowerCase().includes(tag.toLowerCase()))
    .slice(0, MAX_SUGGESTED);
  const add = (chosen: string) =>
    void onAdd(chosen).then(
      () => setText(''),
      // The page reports the error; the text stays.
      () => {},
    );
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (tag !== '' && error === undefined && !isBusy) add(tag);
  }
  return (
    <form className="order-tags-form" onSubmit={submit}>
      <div className="order-tags-new">
        <Field label={t('tag')} value={text} onChange={setText} error={error} />
        <Button type="submit" isPending={isBusy} isDisabled={tag === ''}>
          {t('add')}
        </Button>
      </div>
      {suggested.length > 0 && (
        <ul className="order-tags-list" aria-label={t('inUse')}>
          {suggested.map((one) => (
            <li key={one}>
              <Button
                look="quiet"
                size="small"
                icon="plus"
                aria-label={t('addNamed', { tag: one })}
                isDisabled={isBusy}
                onPress={() => add(one)}
              >
                <bdi className="clip">{one}</bdi>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
