import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../../../src/platform/outbound/testing/certificates.ts';

/** One request as the receiver saw it. `key` names the delivery: the subscription's path and the event. */
export type Seen = {
  key: string;
  startedAtMs: number;
  /** When it was answered or the sender was gone. */
  endedAtMs: number | undefined;
  status: number | undefined;
};

export type Behaviour = 'well' | 'failing' | 'slow' | 'hanging' | 'hanging up';

/** What each subscription's receiver goes through, each from another point on. */
const BEHAVIOURS: Behaviour[] = ['well', 'failing', 'well', 'slow', 'well', 'hanging up', 'well', 'hanging'];
const PHASE_MS = 1500;

/** What to do at the next request: the blow falls in its middle, or in the moment after its answer has gone out. */
export type Trap = { when: 'in the middle' | 'after the answer'; spring(): void };

export type ChaosReceiver = {
  port: number;
  seen: Seen[];
  /** From now on everybody is well. */
  calm(): void;
  setTrap(trap: Trap): void;
  close(): void;
};

const HANG_MS = 14_000;

export async function startChaosReceiver(certificate: Certificate): Promise<ChaosReceiver> {
  const seen: Seen[] = [];
  const startedMs = performance.now();
  let calm = false;
  let trap: Trap | undefined;

  const server = https.createServer({ ...certificate, keepAlive: true }, (request, response) => {
    const entry: Seen = {
      key: `${request.url} ${request.headers['webhook-id']}`,
      startedAtMs: Date.now(),
      endedAtMs: undefined,
      status: undefined,
    };
    seen.push(entry);
    response.on('close', () => {
      entry.endedAtMs = Date.now();
    });
    const answer = (status: number) => {
      if (response.destroyed) return;
      entry.status = status;
      response.writeHead(status).end('ok');
    };
    request.resume();
    request.on('error', () => undefined);
    request.on('end', () => {
      const sprung = trap;
      trap = undefined;
      if (sprung?.when === 'in the middle') {
        sprung.spring();
        setTimeout(answer, 50, 200);
      } else if (sprung?.when === 'after the answer') {
        // The moment the last byte is with the kernel: the sender has its answer, and has not written it down.
        response.on('finish', sprung.spring);
        answer(200);
      } else react(behaviourOf(request.url ?? ''), answer, response);
    });
  });

  function behaviourOf(target: string): Behaviour {
    const phase = [...target].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
    const turn = Math.floor((performance.now() - startedMs) / PHASE_MS) + phase;
    return calm ? 'well' : (BEHAVIOURS[turn % BEHAVIOURS.length] ?? 'well');
  }

  function react(behaviour: Behaviour, answer: (status: number) => void, response: { destroy(): unknown }): void {
    if (behaviour === 'failing') answer(500);
    else if (behaviour === 'slow') setTimeout(answer, 100 + Math.random() * 1500, 200);
    else if (behaviour === 'hanging') setTimeout(answer, HANG_MS, 200);
    else if (behaviour === 'hanging up') response.destroy();
    else answer(200);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    calm: () => {
      calm = true;
    },
    setTrap: (next) => {
      trap = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
