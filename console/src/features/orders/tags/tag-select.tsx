import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Select } from '../../../ui/index.ts';
import { hasTag } from './change-tags.ts';
import { tagsWords } from './words.ts';

const ANY = '';

/** The filter of the list. Hidden until a tag is in use. */
export function TagSelect(props: { tag: string | undefined; onTag(tag: string | undefined): void }): ReactNode {
  const t = useWords(tagsWords);
  const { number } = useFormat();
  const { tag, onTag } = props;
  const rows = useRead('listOrderTags', {}).data?.data ?? [];
  const unlisted =
    tag !== undefined &&
    !hasTag(
      rows.map((row) => row.tag),
      tag,
    )
      ? [{ value: tag, text: tag }]
      : [];
  const chosen = rows.find((row) => tag !== undefined && hasTag([row.tag], tag))?.tag ?? tag;
  if (rows.length === 0 && tag === undefined) return null;
  return (
    <Select
      label={t('tag')}
      value={chosen ?? ANY}
      onChange={(value) => onTag(value || undefined)}
      options={[
        { value: ANY, text: t('anyTag') },
        ...unlisted,
        ...rows.map((row) => ({ value: row.tag, text: `${row.tag} (${number(row.orders)})` })),
      ]}
    />
  );
}
