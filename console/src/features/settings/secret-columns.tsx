import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { Button, type Column } from '../../ui/index.ts';
import { isLive, type Secret, SecretState } from './expiry.tsx';
import { settingsWords } from './words.ts';

export type ListedSecret = Secret & { id: string; name: string; hint: string };

/** The columns that the lists of API keys and of session tokens share. */
export function useSecretColumns<Row extends ListedSecret>(options: {
  unnamed: string;
  /** Undefined for an account that may not revoke. */
  onRevoke: ((secret: Row) => void) | undefined;
}): Record<'name' | 'state' | 'expires' | 'revoke', Column<Row>> {
  const t = useWords(settingsWords);
  const { date } = useFormat();
  const { unnamed, onRevoke } = options;
  return {
    name: {
      id: 'name',
      title: t('name'),
      width: 'minmax(80px, 1.2fr)',
      render: ({ name, hint }) => (
        <span className="ui-cell-two">
          <span className="clip">{name === '' ? unnamed : <bdi>{name}</bdi>}</span>
          <span className="soft settings-code ltr">…{hint}</span>
        </span>
      ),
    },
    state: { id: 'state', title: t('state'), width: '80px', render: (secret) => <SecretState secret={secret} /> },
    expires: {
      id: 'expires',
      title: t('expires'),
      width: '118px',
      from: 'medium',
      render: ({ expires_at }) => (expires_at === null ? t('expires.never') : date(expires_at)),
    },
    revoke: {
      id: 'revoke',
      title: t('revoke'),
      hideTitle: true,
      width: '84px',
      end: true,
      render: (secret): ReactNode =>
        isLive(secret) &&
        onRevoke !== undefined && (
          <Button size="small" onPress={() => onRevoke(secret)} aria-label={`${t('revoke')}: ${secret.name}`}>
            {t('revoke')}
          </Button>
        ),
    },
  };
}
