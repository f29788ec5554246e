import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useApi, useMay, useRead } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Card, Loaded, Page, Skeletons, Tabs } from '../../ui/index.ts';
import { useEventName } from './event-names.ts';
import { type Description, type EventKind, eventsIn } from './read-description.ts';
import { SchemaTree } from './schema-tree.tsx';
import './webhooks.css';
import { webhooksWords } from './words.ts';

const route = getRouteApi('/in/webhooks/events');

/** The event types, when they are sent, and their schema: read from the service's OpenAPI document, so that it is always current. */
export function EventCatalogPage(): ReactNode {
  const t = useWords(webhooksWords);
  const api = useApi();
  const description = useQuery({
    queryKey: ['openapi'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const request = { operation: 'readOpenapi', method: 'GET', path: '/openapi.json', takesOrganization: false };
      return (await api.send({ ...request, signal })).data as Description;
    },
  });
  return (
    <Page title={t('catalog')} note={<BackLink to="/webhooks">{t('back')}</BackLink>}>
      <p className="soft webhooks-prose">{t('catalogIntro')}</p>
      <Loaded of={description} rows={10}>
        {(document) => <Catalog document={document} />}
      </Loaded>
    </Page>
  );
}

function Catalog({ document }: { document: Description }): ReactNode {
  const t = useWords(webhooksWords);
  const { when } = useEventName();
  const events = eventsIn(document);
  const { type } = route.useSearch();
  const shown = events.find((event) => event.type === type) ?? events[0];
  return (
    <div className="webhooks-catalog">
      <Card title={t('catalogTypes')} flush>
        <ul className="webhooks-types">
          {events.map((event) => (
            <li key={event.type}>
              <Link
                to="/webhooks/events"
                search={{ type: event.type }}
                className="webhooks-type"
                replace
                {...(event === shown && { 'aria-current': 'true' as const })}
              >
                <code className="ltr">{event.type}</code>
                <span className="soft small">{when(event.type)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      {shown !== undefined && (
        <Card title={shown.type}>
          <p className="webhooks-when">{when(shown.type)}</p>
          <Tabs
            key={shown.type}
            label={shown.type}
            tabs={[
              { id: 'example', title: t('example'), content: <Example event={shown} /> },
              {
                id: 'fields',
                title: t('fields'),
                content: <SchemaTree schema={shown.schema} document={document} label={t('fields')} />,
              },
            ]}
          />
        </Card>
      )}
    </div>
  );
}

/** The latest stored event of the organization, if there is one: real data is the best example. */
function Example({ event }: { event: EventKind }): ReactNode {
  const t = useWords(webhooksWords);
  const mayRead = useMay()('read:Orders');
  const isOrder = event.orderType !== undefined;
  const types = event.orderType === undefined ? {} : { event_types: [event.orderType] };
  const changes = useRead(
    'listOrderChanges',
    { query: { limit: 1, ...types } },
    { enabled: mayRead && isOrder, staleTime: 60_000 },
  );
  if (changes.isLoading) return <Skeletons rows={8} label={t('example')} />;
  const own = isOrder ? changes.data?.events[0] : undefined;
  return (
    <>
      <p className="soft small webhooks-when">{own === undefined ? t('madeUp') : t('yours')}</p>
      <CodeBlock label={t('example')} text={JSON.stringify(own ?? event.example, null, 2)} tall />
    </>
  );
}
