import type { FastifyRequest } from 'fastify';
import { parseInstant } from '../../../platform/http/instant.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { refuseBrokenHalalas, sarText } from '../../../platform/http/sar-amount.ts';
import { compileItemValidator, type FieldErrors } from '../../../platform/http/validation.ts';
import { findDecimal } from '../../../platform/money.ts';
import { readForm, refuseForm, type Upload } from '../../files/index.ts';
import type { Payout } from './record-payout.ts';
import { NewPayout, type NewPayoutShape } from './schema.ts';

const FORM_RULES = {
  fields: [...Object.keys(NewPayout.properties), 'proof'],
  files: { proof: 1 },
  accept: 'document',
} as const;
/** In other time zones it is already tomorrow. */
const DAY_MS = 86_400_000;

const faultsOf = compileItemValidator(NewPayout);

/** `content` identifies the request for idempotency; undefined where the parsed body does. */
export type PayoutRequest = { payout: Payout; content: unknown };

/** A payout as JSON, or as a form with its proof of payout. The file is then in the store, not yet claimed. */
export async function readPayoutRequest(request: FastifyRequest, upload: Upload, now: Date): Promise<PayoutRequest> {
  if (!request.isMultipart()) {
    const { body } = request;
    const faults = faultsOf(body);
    if (faults !== undefined) throw unprocessable(faults);
    return { payout: payoutOf(body as NewPayoutShape, null, now), content: undefined };
  }
  const form = await readForm(request, upload, FORM_RULES);
  // A form leaves a file out by sending an empty text.
  const { amount_sar, proof: text = '', ...texts } = form.fields;
  const body = { ...texts, ...(amount_sar === undefined ? {} : { amount_sar: numberOf(amount_sar) }) };
  const noFile: FieldErrors = text === '' ? {} : { proof: 'must be a file' };
  refuseForm(form, { ...faultsOf(body), ...noFile, ...form.errors });
  const [proof] = form.files;
  const content = { fields: form.fields, sha256: proof?.sha256 ?? null };
  return { payout: payoutOf(body as NewPayoutShape, proof?.key ?? null, now), content };
}

/** A form has only text. Text that is not a number is left as it is, so that validation reports it. */
function numberOf(value: unknown): unknown {
  return typeof value === 'string' && findDecimal(value) !== undefined ? Number(value) : value;
}

function payoutOf(body: NewPayoutShape, proofKey: string | null, now: Date): Payout {
  refuseBrokenHalalas({ amount_sar: body.amount_sar });
  const paidAt = body.paid_at === undefined ? now : (parseInstant(body.paid_at) ?? now);
  if (paidAt.getTime() > now.getTime() + DAY_MS) throw unprocessable({ paid_at: 'must not be in the future' });
  return {
    partner_id: body.partner_id,
    partner_user_id: body.partner_user_id,
    amount_sar: sarText(body.amount_sar),
    period: body.period,
    bank_reference: body.bank_reference,
    paid_at: paidAt,
    proof_key: proofKey,
  };
}
