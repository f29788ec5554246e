import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../../platform/index.ts';
import { Badge, Button, Card, Loaded } from '../../../ui/index.ts';
import { homeWords } from '../words.ts';

const GoalDialog = lazy(() => import('./goal-dialog.tsx'));

/** The revenue goal of this month and its pace. It belongs to the organization, so it is not for an account of one branch. */
export function GoalCard(): ReactNode {
  const isConfined = useOrganization().branch_id !== null;
  return isConfined ? null : <OrganizationGoal />;
}

function OrganizationGoal(): ReactNode {
  const t = useWords(homeWords);
  const mayChange = useMay()('update:Analytics');
  const { locale, timeZone, roundMoney, percent } = useFormat();
  const [isChanging, setChanging] = useState(false);
  const goal = useRead('readRevenueGoal', {}, { staleTime: 60_000, refetchInterval: 60_000 });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone }).format(new Date());
  const title = t('goal', { month });
  return (
    <Card
      title={title}
      tools={
        mayChange &&
        goal.data !== undefined && (
          <Button size="small" onPress={() => setChanging(true)}>
            {t(goal.data.revenue === null ? 'setGoal' : 'changeGoal')}
          </Button>
        )
      }
    >
      <div className="home-goal">
        <Loaded of={goal} rows={2}>
          {({ revenue, achieved, projected, currency }) => (
            <>
              {revenue === null ? (
                <p>{t('noGoal', { amount: roundMoney(achieved, currency) })}</p>
              ) : (
                <>
                  <div className="home-goal-line">
                    <span className="strong">
                      {t('goalOf', { achieved: roundMoney(achieved, currency), goal: roundMoney(revenue, currency) })}
                    </span>
                    <Badge tone={projected >= revenue ? 'good' : 'warn'}>
                      {t(projected >= revenue ? 'onTrack' : 'behind')}
                    </Badge>
                  </div>
                  <meter
                    className="visually-hidden"
                    aria-label={title}
                    min={0}
                    max={revenue}
                    value={Math.min(achieved, revenue)}
                  >
                    {percent(achieved / revenue)}
                  </meter>
                  <div className="home-goal-track" aria-hidden="true">
                    <span style={{ inlineSize: `${Math.min(100, (projected / revenue) * 100)}%` }} />
                    <span style={{ inlineSize: `${Math.min(100, (achieved / revenue) * 100)}%` }} />
                  </div>
                </>
              )}
              <div className="soft small">{t('pace', { amount: roundMoney(projected, currency) })}</div>
            </>
          )}
        </Loaded>
      </div>
      {isChanging && goal.data !== undefined && (
        <Suspense>
          <GoalDialog goal={goal.data} title={title} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </Card>
  );
}
