import type { Dukkan, RawRequest } from '@dukkan/sdk';
import { loadRefusalWords } from './refusal-words.ts';

type Method = (first: unknown, given?: { signal?: AbortSignal }) => Promise<unknown>;

/** A client whose calls are cancelled when the signal is raised and then neither succeed nor fail. */
export function scopeClient(client: Dukkan, signal: AbortSignal): Dukkan {
  const scoped =
    (method: Method): Method =>
    (first, given) => {
      const cancel = new AbortController();
      const stop = () => cancel.abort(given?.signal?.reason);
      // Not AbortSignal.any, which is younger than the browsers that the console is built for.
      const signals = [signal, given?.signal].filter((one) => one !== undefined);
      for (const one of signals) {
        one.addEventListener('abort', stop);
        if (one.aborted) stop();
      }
      const answer = method(first, { ...given, signal: cancel.signal }).finally(() => {
        for (const one of signals) one.removeEventListener('abort', stop);
      });
      return unlessAborted(signal, answer.catch(withWords));
    };
  const { call, callFull, callLater, finishJob } = client as unknown as Record<string, Method>;
  const send: Method = (_, request) => client.send(request as RawRequest);
  // Each method has types of its own for every operation; in here all of them are one.
  return {
    ...client,
    call: scoped(call as Method),
    callFull: scoped(callFull as Method),
    callLater: scoped(callLater as Method),
    finishJob: scoped(finishJob as Method),
    send: (request: RawRequest) => scoped(send)(undefined, request),
  } as unknown as Dukkan;
}

type TokenSource = (refused?: string) => Promise<string | undefined>;

/**
 * The token source of a scope. A request that is repeated after the end would otherwise be sent with the token of the next user. A late 401
 * would refresh a session that has ended, and the refusal of that would replace the reason that the sign-in page shows.
 */
export function scopeToken(signal: AbortSignal, token: TokenSource): TokenSource {
  return (refused) => (signal.aborted ? new Promise<never>(() => undefined) : unlessAborted(signal, token(refused)));
}

/** An answer is explained in the language of the page. Without an answer there is nothing to load, and no connection to load it by. */
async function withWords(error: unknown): Promise<never> {
  const { status = 0 } = error as { status?: number };
  if (status >= 400) await loadRefusalWords();
  throw error;
}

/**
 * Stays pending when the signal is raised before the promise settles. A rejection would run the error handlers of the page that
 * asked, which would speak to the next user; a pending promise without references is garbage.
 */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => signal.aborted || resolve(value),
      (error) => signal.aborted || reject(error),
    );
  });
}
