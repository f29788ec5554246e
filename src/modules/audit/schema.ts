import { Type } from 'typebox';
import { listEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';

const MAX_FILTER_CHARACTERS = 255;
const KINDS = ['user', 'api_key', 'operator', 'system', 'cli'] as const;

const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }));
const exactly = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_FILTER_CHARACTERS, description }));

/** Resource names are passed in: identity, which defines them, imports this module. */
export function auditQuery(resources: readonly string[]) {
  return Type.Object({
    ...PageQuery,
    actor: exactly('The id of who did it; `system` for the service itself'),
    action: exactly('create, update, delete or a verb of its own, such as revoke or rotate-secret'),
    resource: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: [...resources],
        description: 'The resource, with the names that grants use',
      }),
    ),
    resource_id: exactly('The id of the record that was changed'),
    from: instant('RFC 3339: at that time or later'),
    to: instant('RFC 3339: at that time or earlier'),
  });
}

export const AuditEntryShape = Type.Object(
  {
    id: Type.String(),
    at: Type.String(),
    actor: Type.Object({
      kind: Type.Unsafe<(typeof KINDS)[number]>({
        type: 'string',
        enum: [...KINDS],
        description:
          "operator: an account of the service's operator; cli: its command line; system: the service itself",
      }),
      id: Type.String(),
      name: Type.String({
        description: 'Name at that time: of a user the name or the email address, of an API key its name',
      }),
      support_grant_id: Type.Optional(
        Type.String({
          description: 'Present when an operator acted inside the organization for support: the grant that allowed it',
        }),
      ),
    }),
    action: Type.String(),
    resource: Type.String(),
    resource_id: Type.String(),
    changed_fields: Type.Array(Type.String(), { description: 'Field names, never values' }),
    ip: Type.String({ description: 'Empty when there was no request' }),
    request_id: Type.String({
      description: 'As in the response header x-request-id; empty when there was no request',
    }),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: '0193a1f0-7c00-7000-8000-0000000000a1',
        at: '2026-11-15T08:00:00.000Z',
        actor: {
          kind: 'user',
          id: '0193a1f0-7c00-7000-8000-000000000003',
          name: 'noura@example.com',
        },
        action: 'update',
        resource: 'Products',
        resource_id: '0193a1f0-7c00-7000-8000-00000000000a',
        changed_fields: ['name_ar', 'average_price'],
        ip: '203.0.113.7',
        request_id: '0193a1f0-7c00-7000-8000-0000000000ff',
      },
    ],
  },
);

export const AuditList = listEnvelopeOf(AuditEntryShape);
