import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { signOut, useApi, useExplainError, useRead, useReadAgain } from '../../../platform/index.ts';
import { Badge, Button, Card, ConfirmDialog, Loaded, showToast } from '../../../ui/index.ts';
import { sessionsWords } from './sessions-words.ts';

type Session = Schemas['LoginSession'];
const SHOWN = 50;

/** Where the account is signed in. Ending the current session is a sign-out, which also clears this browser. */
export function SessionsCard(): ReactNode {
  const t = useWords(sessionsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [isAsking, setAsking] = useState(false);
  const sessions = useRead('listSessions', { query: { limit: SHOWN } });
  const settled = {
    onError: (error: unknown) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: () => readAgain('listSessions'),
  };
  const end = useMutation({
    mutationFn: ({ id }: Session) => api.call('endSession', { path: { id } }),
    onSuccess: () => showToast({ tone: 'good', text: t('ended') }),
    ...settled,
  });
  const endOthers = useMutation({
    mutationFn: () => api.call('endOtherSessions'),
    onSuccess: () => {
      setAsking(false);
      showToast({ tone: 'good', text: t('endedOthers') });
    },
    ...settled,
  });
  const hasOthers = (sessions.data?.total_count ?? 0) > 1;
  return (
    <Card
      title={t('title')}
      tools={
        hasOthers && (
          <Button size="small" onPress={() => setAsking(true)}>
            {t('endOthers')}
          </Button>
        )
      }
    >
      <Loaded of={sessions} rows={2}>
        {({ data, total_count }) => (
          <div className="settings-stack">
            <ul className="settings-sessions" aria-label={t('title')}>
              {data.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  isEnding={end.isPending && end.variables.id === session.id}
                  onEnd={() => end.mutate(session)}
                />
              ))}
            </ul>
            {total_count > data.length && (
              <p className="soft small">{t('more', { count: total_count - data.length })}</p>
            )}
            <p className="soft small">{t('hint')}</p>
          </div>
        )}
      </Loaded>
      <ConfirmDialog
        title={t('endOthersTitle')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => endOthers.mutate()}
        confirm={t('endOthers')}
        isBusy={endOthers.isPending}
        danger
      >
        {t('endOthersText')}
      </ConfirmDialog>
    </Card>
  );
}

function SessionRow(props: { session: Session; isEnding: boolean; onEnd(): void }): ReactNode {
  const t = useWords(sessionsWords);
  const { when, dateTime } = useFormat();
  const { session, isEnding, onEnd } = props;
  const device = session.device === '' ? t('unknown') : session.device;
  return (
    <li>
      <div>
        <div>
          <bdi>{device}</bdi> {session.current && <Badge tone="good">{t('current')}</Badge>}
        </div>
        <div className="soft small">
          {session.ip !== '' && (
            <>
              <bdi className="ltr">{session.ip}</bdi>
              {' · '}
            </>
          )}
          <time dateTime={session.last_seen_at} title={dateTime(session.last_seen_at)}>
            {t('seen', { when: when(session.last_seen_at) })}
          </time>
        </div>
      </div>
      {session.current ? (
        <Button size="small" onPress={() => void signOut().catch(() => undefined)}>
          {t('signOut')}
        </Button>
      ) : (
        <Button size="small" isPending={isEnding} onPress={onEnd} aria-label={`${t('end')}: ${device}`}>
          {t('end')}
        </Button>
      )}
    </li>
  );
}
