import type { Schemas } from '@dukkan/sdk';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useApi, useExplainError } from '../../platform/index.ts';
import { Icon } from '../../ui/index.ts';
import { type Entry, toEntries } from './entries.ts';
import { looksLikeBarcode, lookUp, readEntry, SHOWN_AT_MOST, searchByName } from './find-goods.ts';
import { FoundOption } from './found-option.tsx';
import { usePictures } from './use-pictures.ts';
import { tillWords } from './words.ts';

type Sku = Schemas['Sku'];
const TYPING_MS = 180;
const FROM_LETTERS = 2;

/**
 * One field for the scanner and for names. A name lists variants of one product as one entry that opens; codes and Enter find single SKUs. A scanner types faster than the list updates: its code is removed from the field
 * at once, so that the next one starts empty. Keys that the field does not use go to the cart.
 */
export function FindField(props: {
  branch: string;
  currency: string;
  inputRef: Ref<HTMLInputElement>;
  isDisabled: boolean;
  onAdd(sku: Sku, quantity: number): void;
  onKey(event: KeyboardEvent<HTMLInputElement>): void;
}): ReactNode {
  const { branch, currency, inputRef, isDisabled, onAdd, onKey } = props;
  const t = useWords(tillWords);
  const explain = useExplainError();
  const api = useApi();
  const listId = useId();
  const [text, setText] = useState('');
  const [offered, setOffered] = useState<Sku[] | undefined>(undefined);
  const [opened, setOpened] = useState<Entry<Sku> | undefined>(undefined);
  const [active, setActive] = useState(-1);
  const [said, setSaid] = useState('');
  const [underWay, setUnderWay] = useState(0);

  const paused = usePaused(readEntry(text).wanted);
  const isName = paused.length >= FROM_LETTERS && !looksLikeBarcode(paused) && offered === undefined;
  const matches = useQuery({
    queryKey: ['till-search', branch, paused],
    queryFn: ({ signal }) => searchByName(api, branch, paused, signal),
    enabled: isName,
    staleTime: 10_000,
  });
  const pictures = usePictures(paused, isName);
  // During typing, results of a shorter text are no longer shown.
  const named = isName && readEntry(text).wanted === paused ? (matches.data ?? []) : [];
  const single = opened ?? offered;
  const list = single?.map((sku): Entry<Sku> => [sku]) ?? toEntries(named).slice(0, SHOWN_AT_MOST);
  const isOpen = list.length > 0;

  function clear(): void {
    setText('');
    setOffered(undefined);
    setOpened(undefined);
    setActive(-1);
  }
  function close(): void {
    setOpened(undefined);
    setActive(-1);
  }
  function take([sku, ...others]: Entry<Sku>): void {
    setSaid('');
    if (others.length > 0) {
      setOpened([sku, ...others]);
      setActive(0);
      return;
    }
    onAdd(sku, readEntry(text).quantity);
    clear();
  }
  async function enter(): Promise<void> {
    const { quantity, wanted } = readEntry(text);
    const chosen = list[active];
    if (chosen !== undefined) return take(chosen);
    if (wanted === '') return;
    const isScan = looksLikeBarcode(wanted);
    if (isScan) clear();
    setUnderWay((count) => count + 1);
    setSaid('');
    try {
      const found = await lookUp(api, branch, wanted);
      if (!Array.isArray(found)) {
        onAdd(found, quantity);
        // After a scan the field may hold the next one already.
        if (!isScan) clear();
      } else if (found.length === 0) setSaid(t('nothingFound', { text: wanted }));
      else {
        setText(text);
        setOffered(found);
        setActive(0);
      }
    } catch (error) {
      setText((now) => (now === '' ? text : now));
      setSaid(explain(error).title);
    } finally {
      setUnderWay((count) => count - 1);
    }
  }
  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === 'Escape' && opened !== undefined) close();
    else if (key === 'Escape' && text !== '') clear();
    else if (isOpen && key === 'ArrowDown') setActive((active + 1) % list.length);
    else if (isOpen && key === 'ArrowUp') setActive((active <= 0 ? list.length : active) - 1);
    else if (key === 'Enter' && text.trim() !== '' && !event.ctrlKey && !event.metaKey) void enter();
    else {
      if (text === '' || event.ctrlKey || event.metaKey || /^F\d/.test(key)) onKey(event);
      return;
    }
    event.preventDefault();
  }

  return (
    <div className="till-find">
      <div className="till-find-box">
        <Icon name="search" />
        <input
          ref={inputRef}
          className="ui-input"
          role="combobox"
          aria-label={t('find')}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          placeholder={t('find')}
          disabled={isDisabled}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOffered(undefined);
            close();
            setSaid('');
          }}
          onKeyDown={press}
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={t('found')}
        className="till-found"
        data-open={isOpen || undefined}
        hidden={!isOpen}
      >
        {list.map((entry, index) => (
          <FoundOption
            key={entry[0].iv_id}
            id={`${listId}-${index}`}
            entry={entry}
            currency={currency}
            images={pictures.get(entry[0].product_iv_id)}
            isActive={index === active}
            onTake={() => take(entry)}
          />
        ))}
      </div>
      <p className="till-said small" role="status">
        {underWay > 0 ? t('lookingUp') : said === '' ? <span className="soft">{t('findHint')}</span> : said}
      </p>
    </div>
  );
}

/** The debounced text. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
