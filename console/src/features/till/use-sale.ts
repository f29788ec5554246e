import { type BodyOf, DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readStored, useApi, useReadAgain, useScope, writeStored } from '../../platform/index.ts';

export type SaleBody = BodyOf<'sellAtTill'>;
export type Cash = { given: number; change: number };
/** A sale on its way, with the key under which it counts once. */
type Pending = { key: string; body: SaleBody; cash?: Cash };
export type Sold = { made: Schemas['TillSaleMade']; cash?: Cash };

/**
 * Sells, each sale with its own Idempotency-Key. Without an answer it is unknown whether the sale was made: the same sale is
 * then sent again with the same key, by hand or when the connection returns, also after a reload, and the service
 * repeats its first answer. Until then the cart cannot change.
 */
export function useSale(place: string) {
  const api = useApi();
  const readAgain = useReadAgain();
  // By user, because it outlives the session: it names a customer, and goes out in the name of who sold.
  const name = `till.sale.${useScope().userId}.${place}`;
  const [lost, setLost] = useState<Pending | undefined>(() => readPending(name));
  const [sold, setSold] = useState<Sold | undefined>(undefined);
  const state = useRef<'idle' | 'under way' | 'asked again'>('idle');
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ key, body }: Pending) => api.call('sellAtTill', { body, idempotencyKey: key }),
    onMutate: (pending) => {
      state.current = 'under way';
      writeStored(name, JSON.stringify(pending));
    },
    onSuccess: ({ data }, { cash }) => {
      writeStored(name, null);
      setLost(undefined);
      setSold({ made: data, ...(cash && { cash }) });
      void readAgain('listOrders', 'listSkus', 'readOrdersDashboard', 'readDashboard', 'readSensy');
    },
    onError: (failure, pending) => {
      if (isUnknown(failure)) return setLost(pending);
      writeStored(name, null);
      setLost(undefined);
    },
    onSettled: (_answer, failure, pending) => {
      const isAskedAgain = state.current === 'asked again';
      state.current = 'idle';
      if (isAskedAgain && failure !== null && isUnknown(failure)) mutate(pending);
    },
  });
  const waiting = useRef(lost);
  waiting.current = lost;
  const again = useCallback(() => {
    if (waiting.current === undefined) return;
    // One try at a time: the answer to a second would bring the sale back when the next customer's has begun.
    if (state.current === 'idle') mutate(waiting.current);
    else state.current = 'asked again';
  }, [mutate]);
  useEffect(() => {
    again();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [again]);
  return {
    isSelling: isPending,
    /** What became of it is not known. */
    isLost: lost !== undefined,
    again,
    refusal: error !== null && !isUnknown(error) ? error : undefined,
    forgetRefusal: reset,
    sold,
    sell: (body: SaleBody, cash?: Cash) => mutate({ key: newKey(), body, ...(cash && { cash }) }),
    next: () => setSold(undefined),
  };
}

/** No answer, or one that says nothing of whether it was done. */
function isUnknown(error: unknown): boolean {
  return (
    !(error instanceof DukkanError) || error.status === 0 || error.status >= 500 || error.reason === 'being-changed'
  );
}

function readPending(name: string): Pending | undefined {
  const text = readStored(name);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}

/** `randomUUID` is there on secure pages only. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
