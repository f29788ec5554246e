import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useDraft, useRead, useReadAgain } from '../../../platform/index.ts';
import { Button, Field, Loaded, showToast } from '../../../ui/index.ts';
import { useKeyFor } from '../parts/key-for.ts';
import { Refusal } from '../parts/refusal.tsx';
import type { Lead } from './lead.ts';
import { leadsWords } from './words.ts';

const SHOWN = 20;
const MOST = 100;

export function LeadNotes({ lead }: { lead: Lead }): ReactNode {
  const t = useWords(leadsWords);
  const { when, dateTime } = useFormat();
  const [limit, setLimit] = useState(SHOWN);
  const notes = useRead('listLeadNotes', { path: { id: lead.id }, query: { limit } }, { keepPrevious: true });
  return (
    <section aria-label={t('ourNotes')} className="operator-stack">
      <h3>{t('ourNotes')}</h3>
      <NewNote lead={lead} />
      <Loaded of={notes} rows={2}>
        {({ data, has_next }) =>
          data.length === 0 ? (
            <p className="soft">{t('noOwnNotes')}</p>
          ) : (
            <>
              <ul className="operator-list">
                {data.map(({ id, body, author, created }) => (
                  <li key={id}>
                    <bdi className="operator-text">{body}</bdi>
                    <span className="soft small">
                      <bdi>{author.name}</bdi>
                      {' · '}
                      <time dateTime={created} title={dateTime(created)}>
                        {when(created)}
                      </time>
                    </span>
                  </li>
                ))}
              </ul>
              {has_next && limit < MOST && <Button onPress={() => setLimit(MOST)}>{t('moreNotes')}</Button>}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** What is typed survives a reload and the end of the session. */
function NewNote({ lead }: { lead: Lead }): ReactNode {
  const t = useWords(leadsWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const keyFor = useKeyFor();
  const { values: text, setValues: setText, clear } = useDraft(`note.${lead.id}`, '');
  const [isTried, setTried] = useState(false);
  const adding = useMutation({
    mutationFn: (body: { body: string }) =>
      api.call('addLeadNote', { path: { id: lead.id }, body, idempotencyKey: keyFor([lead, body]) }),
    onSuccess: async () => {
      clear('');
      setTried(false);
      showToast({ tone: 'good', text: t('noteAdded') });
      await readAgain('listLeadNotes', 'listPipelineLeads');
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (text.trim() !== '' && !adding.isPending) adding.mutate({ body: text.trim() });
  }
  return (
    <form className="operator-form" onSubmit={submit} noValidate>
      <Refusal error={adding.error} />
      <Field
        label={t('newNote')}
        value={text}
        onChange={setText}
        lines={3}
        maxLength={2000}
        error={isTried && text.trim() === '' ? common('required') : undefined}
      />
      <div>
        <Button type="submit" isPending={adding.isPending}>
          {t('addNote')}
        </Button>
      </div>
    </form>
  );
}
