import { Type } from 'typebox';
import { listEnvelopeOf } from '../../../platform/http/envelopes.ts';

export const sessionId = '0193a1f0-7c00-7000-8000-000000000001';

export const SessionParams = Type.Object({
  id: Type.String({ description: 'Its id, as the list shows it', examples: [sessionId] }),
});

const LoginSession = Type.Object(
  {
    id: Type.String(),
    device: Type.String({
      description:
        'Browser and system by the User-Agent header, or the name of another program. Empty when it names neither',
    }),
    ip: Type.String({
      description: 'Network address of the login or its last refresh. Empty for logins of earlier releases',
    }),
    created: Type.String(),
    last_seen_at: Type.String({ description: 'Login or last refresh: to within an hour while it is used' }),
    current: Type.Boolean({ description: 'The session that this request belongs to' }),
  },
  {
    title: 'LoginSession',
    examples: [
      {
        id: sessionId,
        device: 'Chrome, Windows',
        ip: '203.0.113.7',
        created: '2026-11-15T07:50:00.000Z',
        last_seen_at: '2026-11-18T09:10:00.000Z',
        current: true,
      },
    ],
  },
);
export const LoginSessionList = listEnvelopeOf(LoginSession);
