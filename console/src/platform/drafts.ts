import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from './local-storage.ts';
import { useScope } from './session.ts';

/** The name of a form's draft in storage: by user and organization, so that other users of the browser do not see it. */
function useDraftName(form: string): string {
  const { userId, organizationId } = useScope();
  return `draft.${userId}.${organizationId ?? ''}.${form}`;
}

/** Whether a form was left unfinished, because the session ended or the tab was closed: a page opens it again. */
export function useHasDraft(form: string): boolean {
  const name = useDraftName(form);
  const [hasDraft] = useState(() => readStored(name) !== null);
  return hasDraft;
}

type DraftOptions<Values> = {
  /** Whether there is nothing to save; by default, whether the values are the first ones. */
  isUnchanged?: (values: Values) => boolean;
  /** The values without passwords and other secrets, which are never stored. */
  storable?: (values: Values) => Values;
};

/** `useState` for the values of a form, which survive a reload and the end of the session until `clear`. */
export function useDraft<Values>(form: string, first: Values, options: DraftOptions<Values> = {}) {
  const name = useDraftName(form);
  const [restored] = useState(() => parse<Values>(readStored(name)));
  const [values, setValues] = useState<Values>(restored ?? first);
  const initial = useRef(JSON.stringify(first));
  const isCleared = useRef(false);
  const isUnchanged = options.isUnchanged ?? ((now: Values) => JSON.stringify(now) === initial.current);
  const isDirty = !isUnchanged(values);
  const text = isDirty ? JSON.stringify(options.storable?.(values) ?? values) : null;
  useEffect(() => {
    if (!isCleared.current) writeStored(name, text);
  }, [name, text]);
  return {
    values,
    setValues,
    isDirty,
    /** The values are those of an earlier, unfinished form. */
    isRestored: restored !== undefined,
    /** When the user discards the form, and after saving. A form that stays open goes on with `next`. */
    clear(next?: Values): void {
      isCleared.current = next === undefined;
      writeStored(name, null);
      if (next !== undefined) setValues(next);
    },
  };
}

/** A broken one is dropped. */
function parse<Values>(text: string | null): Values | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Values;
  } catch {
    return undefined;
  }
}
