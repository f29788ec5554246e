import { compileObject } from './compile-object.ts';
import type { Order } from './order.ts';
import { fieldOf, type OrderFieldName, type ShownField } from './order-fields.ts';

/** Shown names by the stored fields they show. */
type Layout = Readonly<Record<string, OrderFieldName>>;

export type Shown<Names extends Layout> = { [Name in keyof Names]: ShownField<Names[Name]> };

/** A function that shows some fields of an order, in the order of the layout. */
export function compileShown<const Names extends Layout>(layout: Names): (order: Order) => Shown<Names> {
  const expressions = Object.entries(layout).map(([shown, name]) => [shown, shownExpression(name)]);
  return compileObject(Object.fromEntries(expressions));
}

function shownExpression(name: OrderFieldName): string {
  const { type, nullable } = fieldOf(name);
  if (type !== 'instant') return `source.${name}`;
  return nullable ? `source.${name}?.toISOString() ?? null` : `source.${name}.toISOString()`;
}
