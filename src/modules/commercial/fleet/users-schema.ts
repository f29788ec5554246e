import { Type } from 'typebox';
import { cappedListOf } from '../../../platform/http/camel-case-pager.ts';

const Operator = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'The email address where there is none' }),
    email: Type.String(),
  },
  {
    title: 'Operator',
    examples: [{ id: '0193a1f0-7c00-7000-8000-0000000000c1', name: 'Commercial team', email: 'team@operator.example' }],
  },
);
export const OperatorList = cappedListOf(Operator, 'OperatorList');

const account = {
  email: Type.String({ format: 'email', maxLength: 320, description: 'Email address of the account' }),
  reason: Type.String({ minLength: 1, maxLength: 1000, description: "The reason, for the service's log" }),
};

export const UserResetBody = Type.Object(account, {
  title: 'UserReset',
  examples: [{ email: 'noura@example.com', reason: 'Forgot the password; called back on the number we have' }],
});

export const TotpResetBody = Type.Object(account, {
  title: 'TotpReset',
  examples: [{ email: 'noura@example.com', reason: 'Telephone lost; called back on the number we have' }],
});

export const TotpResetAnswer = Type.Object(
  {
    user_id: Type.String(),
    email: Type.String(),
    has_second_factor: Type.Boolean({ description: 'Always false: the next login requires only the password' }),
  },
  {
    title: 'TotpResetDone',
    examples: [
      { user_id: '0193a1f0-7c00-7000-8000-000000000009', email: 'noura@example.com', has_second_factor: false },
    ],
  },
);
