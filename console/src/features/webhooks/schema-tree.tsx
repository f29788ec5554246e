import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { type Description, resolve, type Schema } from './read-description.ts';
import { webhooksWords } from './words.ts';

type SchemaProps = { schema: Schema; document: Description };

/** Fields with their types, nested for objects. */
export function SchemaTree({ schema, document, label }: SchemaProps & { label: string }): ReactNode {
  return (
    <div className="webhooks-schema">
      <Fields schema={schema} document={document} label={label} />
    </div>
  );
}

function Fields({ schema, document, label }: SchemaProps & { label: string }): ReactNode {
  const required = new Set(schema.required);
  return (
    <ul aria-label={label}>
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
        <li key={name}>
          <OneField name={name} schema={resolve(field, document)} document={document} isRequired={required.has(name)} />
        </li>
      ))}
    </ul>
  );
}

function OneField({
  name,
  schema,
  document,
  isRequired,
}: SchemaProps & { name: string; isRequired: boolean }): ReactNode {
  const t = useWords(webhooksWords);
  const inner = innerOf(schema, document);
  const line = (
    <>
      <code className="strong">{name}</code> <code className="soft">{typeOf(schema, document)}</code>
      {!isRequired && <span className="soft small"> {t('optional')}</span>}
      {schema.description !== undefined && <span className="webhooks-schema-note">{schema.description}</span>}
    </>
  );
  if (inner === undefined) return <div className="webhooks-schema-line">{line}</div>;
  return (
    <details>
      <summary className="webhooks-schema-line">{line}</summary>
      <Fields schema={inner} document={document} label={name} />
    </details>
  );
}

/** The object that opens below a field: its own, that of its items, or the one of its alternatives. */
function innerOf(schema: Schema, document: Description): Schema | undefined {
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return schema;
  if (schema.items !== undefined) return innerOf(resolve(schema.items, document), document);
  for (const one of schema.anyOf ?? []) {
    const inner = innerOf(resolve(one, document), document);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function typeOf(schema: Schema, document: Description): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => typeOf(resolve(one, document), document)).join(' | ');
  }
  if (schema.items !== undefined) {
    const item = typeOf(resolve(schema.items, document), document);
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  return schema.format ?? schema.type ?? 'any';
}
