import { createHash } from 'node:crypto';
import { decimal, roundToCurrency, toText } from '../../platform/money.ts';
import type { SandboxRow } from './sql/sandbox.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh}main{max-width:26rem;padding:2rem;text-align:center}p{margin:.5rem 0}.amount{font-size:2rem;font-weight:600}button{font:inherit;padding:.75rem 2rem;margin-top:1rem;border:0;border-radius:.5rem;background:#0a6b4f;color:#fff;cursor:pointer}.note{opacity:.7;font-size:.875rem}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Allows only the style above and a form to the page itself: no frames, scripts, caching or referrer. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Content is constant text, a number and a currency code: no caller input reaches the page. */
function page(body: string): string {
  return `<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Dukkan</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

const both = (ar: string, en: string, kind = '') => `<p${kind}>${ar}</p><p${kind} lang="en" dir="ltr">${en}</p>`;
const NOTE = both('بيئة تجريبية: لا تُخصم أي مبالغ', 'Sandbox: no money moves', ' class="note"');

const WORDS: Readonly<Record<SandboxRow['status'], readonly [string, string]>> = {
  created: ['وافق على الدفع', 'Agree to pay'],
  authorized: ['تمت الموافقة على الدفع', 'Payment authorised'],
  captured: ['تم تحصيل المبلغ', 'Payment captured'],
  cancelled: ['أُلغيت عملية الدفع', 'Payment cancelled'],
  expired: ['انتهت صلاحية الرابط', 'This link has expired'],
  failed: ['تعذر الدفع', 'Payment failed'],
  refunded: ['أُعيد المبلغ', 'Payment refunded'],
};

export function sandboxPage({ status, amount, currency }: Pick<SandboxRow, 'status' | 'amount' | 'currency'>): string {
  const price = `${toText(roundToCurrency(decimal(amount), currency))} ${currency}`;
  const [ar, en] = WORDS[status];
  const shown =
    status === 'created'
      ? `<form method="post"><button type="submit">${ar} · <span lang="en">${en}</span></button></form>`
      : both(ar, en);
  return page(`<p class="amount" dir="ltr">${price}</p>${shown}${NOTE}`);
}

export const notFoundPage = page(both('الرابط غير موجود', 'There is no such link'));
export const thanksPage = page(
  both(
    'شكراً لك. يمكنك إغلاق هذه الصفحة والعودة إلى المتجر.',
    'Thank you. You may close this page and return to the shop.',
  ),
);
