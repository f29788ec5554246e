import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  negate,
  subtract,
  sum,
} from '../../../platform/money.ts';
import { type Node, nodesAt, textAt } from './read-xml.ts';

const HALALA = decimal('0.01');

/** Which of the authority's rules on amounts a document breaks (BR-CO, BR-S, BR-DEC, BR-KSA); empty for a valid one. */
export function totalFaults(root: Node): string[] {
  const faults: string[] = [];
  const check = (isRight: boolean, rule: string) => {
    if (!isRight) faults.push(rule);
  };
  const at = (node: Node, ...path: string[]) => decimal(textAt(node, ...path) ?? 'missing');
  const total = (name: string) => at(root, 'cac:LegalMonetaryTotal', `cbc:${name}`);
  const isSame = (one: Decimal, other: Decimal) => compare(one, other) === 0;
  const isNear = (one: Decimal, other: Decimal) =>
    compare(subtract(one, other), HALALA) <= 0 && compare(subtract(one, other), negate(HALALA)) >= 0;

  const lines = nodesAt(root, 'cac:InvoiceLine');
  const extras = nodesAt(root, 'cac:AllowanceCharge');
  const charges = extras.filter((extra) => textAt(extra, 'cbc:ChargeIndicator') === 'true');
  const allowances = extras.filter((extra) => textAt(extra, 'cbc:ChargeIndicator') === 'false');
  const amountsOf = (nodes: Node[], name: string) => sum(nodes.map((node) => at(node, name)));
  check(isSame(total('LineExtensionAmount'), amountsOf(lines, 'cbc:LineExtensionAmount')), 'BR-CO-10');
  check(isSame(total('AllowanceTotalAmount'), amountsOf(allowances, 'cbc:Amount')), 'BR-CO-11');
  check(isSame(total('ChargeTotalAmount'), amountsOf(charges, 'cbc:Amount')), 'BR-CO-12');
  const net = add(subtract(total('LineExtensionAmount'), total('AllowanceTotalAmount')), total('ChargeTotalAmount'));
  check(isSame(total('TaxExclusiveAmount'), net), 'BR-CO-13');
  const [plain, broken, ...others] = nodesAt(root, 'cac:TaxTotal');
  if (plain === undefined || broken === undefined || others.length > 0) return [...faults, 'BR-KSA-EN16931-08'];
  const vat = at(plain, 'cbc:TaxAmount');
  const subtotals = nodesAt(broken, 'cac:TaxSubtotal');
  check(isSame(vat, at(broken, 'cbc:TaxAmount')), 'BR-KSA-EN16931-09');
  check(isSame(vat, amountsOf(subtotals, 'cbc:TaxAmount')), 'BR-CO-14');
  check(isSame(total('TaxInclusiveAmount'), add(total('TaxExclusiveAmount'), vat)), 'BR-CO-15');
  check(isSame(total('PayableAmount'), total('TaxInclusiveAmount')), 'BR-CO-16');
  const percentOf = (node: Node, name: string) => textAt(node, ...name.split('/'), 'cbc:Percent') ?? '';
  for (const subtotal of subtotals) {
    const percent = percentOf(subtotal, 'cac:TaxCategory');
    const own = (nodes: Node[], name: string) => nodes.filter((node) => percentOf(node, name) === percent);
    const taxable = add(
      amountsOf(own(lines, 'cac:Item/cac:ClassifiedTaxCategory'), 'cbc:LineExtensionAmount'),
      subtract(
        amountsOf(own(charges, 'cac:TaxCategory'), 'cbc:Amount'),
        amountsOf(own(allowances, 'cac:TaxCategory'), 'cbc:Amount'),
      ),
    );
    check(isSame(at(subtotal, 'cbc:TaxableAmount'), taxable), `BR-S-08 at ${percent} %`);
    const computed = divide(multiply(taxable, decimal(percent)), decimal(100), 2);
    check(isNear(at(subtotal, 'cbc:TaxAmount'), computed), `BR-CO-17 at ${percent} %`);
    check(['0', '5', '15'].includes(percent), `BR-KSA-84: ${percent} %`);
  }
  for (const line of lines) {
    const priced = multiply(at(line, 'cbc:InvoicedQuantity'), at(line, 'cac:Price', 'cbc:PriceAmount'));
    check(isNear(at(line, 'cbc:LineExtensionAmount'), priced), 'BR-KSA-EN16931-11');
    const withVat = add(at(line, 'cbc:LineExtensionAmount'), at(line, 'cac:TaxTotal', 'cbc:TaxAmount'));
    check(isSame(at(line, 'cac:TaxTotal', 'cbc:RoundingAmount'), withVat), 'BR-KSA-51');
  }
  for (const charge of charges) check(textAt(charge, 'cbc:AllowanceChargeReasonCode') !== undefined, 'BR-KSA-19');
  for (const node of moneyIn(root)) {
    check(node.attributes.currencyID === 'SAR', `BR-KSA-CL-02: ${node.name}`);
    check(!node.text.startsWith('-'), `BR-KSA-F-04: ${node.name}`);
    if (node.name !== 'cbc:PriceAmount') check(/^\d+\.\d{2}$/.test(node.text), `BR-DEC: ${node.name} ${node.text}`);
  }
  for (const name of ['cbc:DocumentCurrencyCode', 'cbc:TaxCurrencyCode'])
    check(textAt(root, name) === 'SAR', 'BR-KSA-EN16931-02');
  return faults;
}

function moneyIn(node: Node): Node[] {
  return [...(node.name.endsWith('Amount') ? [node] : []), ...node.children.flatMap(moneyIn)];
}
