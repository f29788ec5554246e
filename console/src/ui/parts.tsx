import { type ReactNode, useEffect } from 'react';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info' | 'accent';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return (
    <span className="ui-badge" data-tone={tone}>
      {children}
    </span>
  );
}

export function Card(props: {
  title?: string;
  tools?: ReactNode;
  /** Its content reaches the edges: tables. */
  flush?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="ui-card" aria-label={props.title}>
      {props.title !== undefined && (
        <header className="ui-card-head">
          <h2>{props.title}</h2>
          {props.tools}
        </header>
      )}
      <div className="ui-card-body" data-flush={props.flush || undefined}>
        {props.children}
      </div>
    </section>
  );
}

/** A page: heading, tools, content. `name` is the window title where `title` is not a string. */
export function Page(props: {
  title: ReactNode;
  name?: string;
  note?: ReactNode;
  tools?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const name = props.name ?? (typeof props.title === 'string' ? props.title : undefined);
  useEffect(() => {
    document.title = name === undefined ? 'Dukkan' : `${name} · Dukkan`;
    // Reset with the page: an error state or the sign-in page that replaces it sets no title of its own.
    return () => {
      document.title = 'Dukkan';
    };
  }, [name]);
  return (
    <div className="ui-page">
      <header className="ui-page-head">
        <div className="ui-page-title">
          <h1>{props.title}</h1>
          {props.note !== undefined && <div className="soft small">{props.note}</div>}
        </div>
        {props.tools !== undefined && <div className="ui-page-tools">{props.tools}</div>}
      </header>
      {props.children}
    </div>
  );
}

export function Skeleton({ width = '100%', height }: { width?: string; height?: string }): ReactNode {
  return <span className="ui-skeleton" style={{ inlineSize: width, ...(height && { blockSize: height }) }} />;
}

/** Placeholders of the height of the rows to come, so that the layout does not shift. */
export function Skeletons({ rows, label }: { rows: number; label: string }): ReactNode {
  return (
    <div className="ui-skeletons" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same and never move
        <Skeleton key={row} width={`${92 - ((row * 17) % 38)}%`} height="20px" />
      ))}
    </div>
  );
}

/** An empty section, with the next step. */
export function EmptyState(props: { icon?: IconName; title: string; hint?: ReactNode; action?: ReactNode }): ReactNode {
  return (
    <div className="ui-state">
      <Icon name={props.icon ?? 'empty'} />
      <strong>{props.title}</strong>
      {props.hint !== undefined && <p>{props.hint}</p>}
      {props.action}
    </div>
  );
}

export function Notice({ tone = 'info', children }: { tone?: 'info' | 'bad' | 'warn' | 'good'; children: ReactNode }) {
  return (
    <div className="ui-notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={tone === 'info' || tone === 'good' ? 'info' : 'alert'} />
      <div>{children}</div>
    </div>
  );
}

/** `print`: as narrow paper shows them. */
export function Facts(props: {
  facts: readonly (readonly [name: string, value: ReactNode] | undefined)[];
  look?: 'print';
}): ReactNode {
  const { facts, look } = props;
  return (
    <dl className={look === 'print' ? 'receipt-facts' : 'ui-facts'}>
      {facts
        .filter((fact) => fact !== undefined)
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return <kbd className="ui-kbd">{children}</kbd>;
}
