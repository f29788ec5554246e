import type { Answer } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { FigureStrip } from '../../../ui/figure-strip.tsx';
import { Badge, Card, Facts, Loaded, Notice } from '../../../ui/index.ts';
import { systemWords } from './words.ts';

type System = Answer<'systemHealth'>;
const AGAIN_MS = 10_000;
const STATUSES = ['healthy', 'degraded', 'unhealthy'] as const;

/** The status page: a summary first, then each component with its state and figures. */
export function Health(): ReactNode {
  const t = useWords(systemWords);
  const { dateTime } = useFormat();
  const system = useRead('systemHealth', {}, { refetchInterval: AGAIN_MS, staleTime: 0 });
  return (
    <Loaded of={system} rows={8}>
      {(answer) => {
        const status = STATUSES.find((one) => one === answer.status) ?? 'degraded';
        const time = dateTime(answer.system_health.timestamp);
        return (
          <div className="operator-stack">
            {system.isError ? (
              <Notice tone="bad">{t('stale', { time })}</Notice>
            ) : (
              <section className="system-status" data-status={status} role="status">
                <span className="system-light" aria-hidden="true" />
                <strong>{t(`status.${status}`)}</strong>
                <span className="soft small">{t('asOf', { time })}</span>
              </section>
            )}
            <Service of={answer} />
            <Parts of={answer} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Service({ of }: { of: System }): ReactNode {
  const t = useWords(systemWords);
  const uptime = useUptime();
  const words: Partial<Record<string, unknown>> = systemWords[useLanguage()];
  const environment = (name: string) => String(words[`environment.${name}`] ?? name);
  return (
    <FigureStrip
      label={t('figures')}
      figures={[
        { name: t('uptime'), value: uptime(of.uptime_seconds) },
        { name: t('version'), value: <span className="ltr">{of.version}</span> },
        { name: t('environment'), value: environment(of.environment) },
      ]}
    />
  );
}

type State = 'good' | 'look' | 'off';

function Parts({ of: { system_health: system } }: { of: System }): ReactNode {
  const t = useWords(systemWords);
  const { number, percent } = useFormat();
  const { manager_metrics, registry_metrics, scheduler_metrics, staging_metrics } = system;
  const some = (count: number): State => (count > 0 ? 'look' : 'good');
  return (
    <div className="system-parts">
      <Part
        title={t('connections')}
        note={t('connectionsNote')}
        state={manager_metrics.active_instances < manager_metrics.total_instances ? 'look' : 'good'}
        facts={[
          [
            t('connections'),
            t('activeOf', { active: manager_metrics.active_instances, total: manager_metrics.total_instances }),
          ],
          [t('organizations'), number(manager_metrics.total_organizations)],
        ]}
      />
      <Part
        title={t('connectors')}
        note={t('connectorsNote')}
        state={system.initialized ? some(registry_metrics.total_errors) : 'off'}
        facts={[
          [t('factories'), number(registry_metrics.total_factories)],
          [t('made'), number(registry_metrics.total_created)],
          [t('errors'), number(registry_metrics.total_errors)],
          [t('cacheHits'), percent(registry_metrics.cache_hit_rate)],
        ]}
      />
      <Part
        title={t('jobs')}
        note={t('jobsNote')}
        state={system.started && scheduler_metrics.active_workers > 0 ? some(scheduler_metrics.failed_runs) : 'off'}
        facts={[
          [t('workers'), number(scheduler_metrics.active_workers)],
          [t('runs'), number(scheduler_metrics.total_executions)],
          [t('succeeded'), number(scheduler_metrics.successful_runs)],
          [t('failed'), number(scheduler_metrics.failed_runs)],
          [t('successRate'), percent(scheduler_metrics.success_rate)],
        ]}
      />
      <Part
        title={t('intake')}
        note={t('intakeNote')}
        state={some(staging_metrics.total_failed)}
        facts={[
          [t('processed'), number(staging_metrics.total_processed)],
          [t('notProcessed'), number(staging_metrics.total_failed)],
          [t('cleanedUp'), number(staging_metrics.total_cleaned_up)],
        ]}
      />
    </div>
  );
}

function Part(props: {
  title: string;
  note: string;
  state: State;
  facts: readonly (readonly [string, string])[];
}): ReactNode {
  const t = useWords(systemWords);
  const tones = { good: 'good', look: 'warn', off: 'bad' } as const;
  return (
    <Card title={props.title} tools={<Badge tone={tones[props.state]}>{t(`part.${props.state}`)}</Badge>}>
      <p className="soft small system-note">{props.note}</p>
      <Facts facts={props.facts} />
    </Card>
  );
}

/** The two largest units: after a month, seconds do not matter. */
function useUptime(): (seconds: number) => string {
  const t = useWords(systemWords);
  const { list } = useFormat();
  return (seconds) => {
    const parts = [
      ['days', Math.floor(seconds / 86_400)],
      ['hours', Math.floor(seconds / 3600) % 24],
      ['minutes', Math.floor(seconds / 60) % 60],
      ['seconds', Math.floor(seconds) % 60],
    ] as const;
    const first = Math.max(
      0,
      parts.findIndex(([, count]) => count > 0),
    );
    const said = parts.slice(first, first + 2).filter(([, count]) => count > 0);
    return said.length === 0 ? t('seconds', { count: 0 }) : list(said.map(([unit, count]) => t(unit, { count })));
  };
}
