import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useMay, useOrganization, useRead, useReadAgain } from '../../../platform/index.ts';
import { Badge, Button, Card, Loaded, showToast } from '../../../ui/index.ts';
import './closures.css';
import { dayIn, noonOf } from './days.ts';
import { closuresWords } from './words.ts';

const AddClosure = lazy(() => import('./add-closure.tsx'));

type Closure = Schemas['BranchClosure'];
const MOST = 100;

/** Days on which the branch stays closed whatever its hours; past ones are left out. */
export function ClosuresCard({ branch }: { branch: Schemas['Branch'] }): ReactNode {
  const t = useWords(closuresWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const may = useMay();
  const { time_zone } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const path = { ivId: branch.iv_id };
  const closures = useRead('listClosures', { path, query: { limit: MOST } });
  const removal = useMutation({
    mutationFn: ({ id }: Closure) => api.call('removeClosure', { path: { ...path, id } }),
    onSuccess: () => showToast({ tone: 'good', text: t('removed') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title }),
    onSettled: () => readAgain('listClosures', 'getBranch', 'listBranches'),
  });
  const today = dayIn(branch.time_zone ?? time_zone);
  const mayChange = may('update:Branches');
  return (
    <Card
      title={t('title')}
      tools={
        mayChange && (
          <Button size="small" icon="plus" onPress={() => setAdding(true)}>
            {t('add')}
          </Button>
        )
      }
    >
      <Loaded of={closures} rows={2}>
        {({ data }) => {
          const ahead = data.filter(({ until }) => until >= today);
          if (ahead.length === 0) return <p className="soft">{t('empty')}</p>;
          return (
            <>
              <ul className="closures" aria-label={t('title')}>
                {ahead.map((closure) => (
                  <ClosureRow
                    key={closure.id}
                    closure={closure}
                    isNow={closure.from <= today}
                    isRemoving={removal.isPending && removal.variables.id === closure.id}
                    onRemove={mayChange ? () => removal.mutate(closure) : undefined}
                  />
                ))}
              </ul>
              <p className="soft small">{t('hint')}</p>
            </>
          );
        }}
      </Loaded>
      <Suspense>{isAdding && <AddClosure branch={branch} today={today} onClose={() => setAdding(false)} />}</Suspense>
    </Card>
  );
}

function ClosureRow(props: {
  closure: Closure;
  isNow: boolean;
  isRemoving: boolean;
  onRemove: (() => void) | undefined;
}): ReactNode {
  const t = useWords(closuresWords);
  const language = useLanguage();
  const { date } = useFormat();
  const { closure, isNow, isRemoving, onRemove } = props;
  const [from, until] = [date(noonOf(closure.from)), date(noonOf(closure.until))];
  const days = from === until ? t('day', { from }) : t('days', { from, until });
  const reason = language === 'ar' ? closure.reason_ar || closure.reason_en : closure.reason_en || closure.reason_ar;
  return (
    <li>
      <div>
        <div>
          {days} {isNow && <Badge tone="warn">{t('now')}</Badge>}
        </div>
        {reason !== '' && (
          <div className="soft small">
            <bdi>{reason}</bdi>
          </div>
        )}
      </div>
      {onRemove !== undefined && (
        <Button size="small" isPending={isRemoving} onPress={onRemove} aria-label={`${t('remove')}: ${days}`}>
          {t('remove')}
        </Button>
      )}
    </li>
  );
}
