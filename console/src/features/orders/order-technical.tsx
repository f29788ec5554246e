import { type ReactNode, useState } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Card, Loaded, Tabs } from '../../ui/index.ts';
import { ordersWords } from './words.ts';

/** The canonical order and the channel's payload. Loaded when opened. */
export function OrderTechnical({ id }: { id: string }): ReactNode {
  const t = useWords(ordersWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <Card>
      <details className="order-technical" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('technical')}</summary>
        {isOpen && <Forms id={id} />}
      </details>
    </Card>
  );
}

function Forms({ id }: { id: string }): ReactNode {
  const t = useWords(ordersWords);
  const order = useRead('getOrder', { path: { id }, query: { format: 'canonical', include: 'raw' } });
  return (
    <Loaded of={order}>
      {({ order: { raw, ...canonical } }) => (
        <Tabs
          label={t('technical')}
          tabs={[
            { id: 'canonical', title: t('canonical'), content: <Json value={canonical} label={t('canonical')} /> },
            {
              id: 'raw',
              title: t('raw'),
              content: raw == null ? <p className="soft">{t('noRaw')}</p> : <Json value={raw} label={t('raw')} />,
            },
          ]}
        />
      )}
    </Loaded>
  );
}

function Json({ value, label }: { value: unknown; label: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to by keyboard too
    <section className="order-json" tabIndex={0} aria-label={label}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
