import { type BodyOf, DukkanError, type Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readStored, useApi, useReadAgain, useScope, writeStored } from '../../platform/index.ts';

export type SaleBody = BodyOf<'sellAtTill'>;
export type Cash = { given: number; change: number };
/** A pending sale, with its Idempotency-Key. */
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
  // Stored by user, because it outlives the session: it names a customer, and is sent on behalf of the seller.
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
    // One attempt at a time: the answer to a second one would show this sale after the next has begun.
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
    /** The outcome is unknown. */
    isLost: lost !== undefined,
    again,
    refusal: error !== null && !isUnknown(error) ? error : undefined,
    forgetRefusal: reset,
    sold,
    sell: (body: SaleBody, cash?: Cash) => mutate({ key: newKey(), body, ...(cash && { cash }) }),
    next: () => setSold(undefined),
  };
}

/** No answer, or one that leaves the outcome unknown. */
function isUnknown(error: unknown): boolean {
  return (
    !(error instanceof DukkanError) || error.status === 0 || error.status >= 500 || error.reason === 'being-changed'
  );
}

function readPending(name: string): Pending | undefined {
  const text = readStored(name);
  return text === null ? undefined : (JSON.parse(text) as Pending);
}

/** `randomUUID` exists only on secure pages. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
