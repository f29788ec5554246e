import { createDukkan, DukkanError } from '@dukkan/sdk';
import { forgetVisit, rememberVisit } from './remembered-visit.ts';
import { findOwnToken, setVisit, type Visit } from './session.ts';

/** A token this close to expiry is renewed before use. */
const SPARE_MS = 10_000;
/** With the operator's own token: a support token opens nothing of the operator. */
const own = createDukkan({ baseUrl: '', token: findOwnToken, retries: 2 });

/** Opens an organization that has allowed it, in this tab only. Rejects with the refusal of the service. */
export async function openSupport(organizationId: string): Promise<void> {
  const visit = createVisit(organizationId);
  await visit.findToken();
  rememberVisit(organizationId);
  await setVisit(visit);
}

/** After a reload. Only the organization is remembered; the token is asked for again. */
export function resumeSupport(organizationId: string): Visit {
  return createVisit(organizationId);
}

/** The service ends the visit after this tab has left it: a failure leaves nothing open here, and the grant ends the rest. */
export async function leaveSupport(organizationId: string): Promise<void> {
  forgetVisit();
  await setVisit(undefined);
  await own.call('leaveSupportSession', { path: { id: organizationId } }).catch(() => undefined);
}

function createVisit(organizationId: string): Visit {
  let token: { text: string; until: number } | undefined;
  let isOver = false;

  async function renew(): Promise<string | undefined> {
    try {
      const opened = await own.call('openSupportSession', { path: { id: organizationId } });
      token = { text: opened.access_token, until: Date.now() + opened.expires_in * 1000 };
      return token.text;
    } catch (error) {
      const isRefused = error instanceof DukkanError && error.status >= 400 && error.status < 500;
      // Refused before it began: the page that asked shows why.
      if (!isRefused || token === undefined) throw error;
      if (!isOver) {
        isOver = true;
        forgetVisit();
        void setVisit(undefined);
      }
      return undefined;
    }
  }

  let renewing: Promise<string | undefined> | undefined;
  return {
    organizationId,
    async findToken(refused) {
      if (token !== undefined && token.text !== refused && token.until > Date.now() + SPARE_MS) return token.text;
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return await renewing;
    },
  };
}
