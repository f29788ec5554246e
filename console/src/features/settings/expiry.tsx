import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { Badge, Select, type Tone } from '../../ui/index.ts';
import { settingsWords } from './words.ts';

export const LIFETIMES = ['30', '90', '365', 'never'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

export function LifetimeChoice({ value, onChange }: { value: Lifetime; onChange(value: Lifetime): void }): ReactNode {
  const t = useWords(settingsWords);
  return (
    <Select
      label={t('lifetime')}
      value={value}
      onChange={onChange}
      options={LIFETIMES.map((days) => ({
        value: days,
        text: days === 'never' ? t('expires.never') : t('expires.days', { count: Number(days) }),
      }))}
    />
  );
}

export type Secret = { revoked: boolean; expires_at: string | null };
export const isLive = ({ revoked, expires_at }: Secret) =>
  !revoked && (expires_at === null || Date.parse(expires_at) > Date.now());

const TONES: Record<'live' | 'revoked' | 'expired', Tone> = { live: 'good', revoked: 'bad', expired: 'plain' };

export function SecretState({ secret }: { secret: Secret }): ReactNode {
  const t = useWords(settingsWords);
  const state = isLive(secret) ? 'live' : secret.revoked ? 'revoked' : 'expired';
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}</Badge>;
}
