import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Button } from '../../ui/index.ts';
import { signInWords } from './words.ts';

const LABELS = {
  owner: 'demoOwner',
  member: 'demoMember',
  viewer: 'demoViewer',
  branch_user: 'demoBranch',
  commercial: 'demoOperator',
} as const;

type DemoRole = keyof typeof LABELS;
export type DemoLogin = { role: DemoRole; email: string; password: string };

/** One button per demo account. The service lists them to browsers on its own machine while demo data is loaded. */
export function DemoLogins(props: { isPending: boolean; onChoose: (login: DemoLogin) => void }): ReactNode {
  const t = useWords(signInWords);
  const { data } = useQuery({ queryKey: ['demo logins'], queryFn: readDemoLogins, retry: false, staleTime: Infinity });
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="demo-logins" aria-label={t('demo')}>
      <p className="soft small">{t('demo')}</p>
      <div className="demo-logins-list">
        {data.map((login) => (
          <Button key={login.email} isDisabled={props.isPending} onPress={() => props.onChoose(login)}>
            {t(LABELS[login.role])}
          </Button>
        ))}
      </div>
    </section>
  );
}

async function readDemoLogins(): Promise<DemoLogin[]> {
  const answer = await fetch('/demo/logins');
  if (!answer.ok) return [];
  const { data } = (await answer.json()) as { data: DemoLogin[] };
  return data.filter(({ role }) => role in LABELS);
}
