import type { Schemas } from '@dukkan/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLanguage, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { Notice } from '../../ui/index.ts';
import { settingIn, useReason } from './reasons.ts';
import { appsWords } from './words.ts';

type Staged = Schemas['StagedPayloadInFull'];

/** The cause of the failure, who can fix it, and where. */
export function WhatToMend({ row, isInstalled }: { row: Staged; isInstalled: boolean }): ReactNode {
  if (row.error === null) return <Unmapped row={row} isInstalled={isInstalled} />;
  return <Fault row={row} error={row.error} isInstalled={isInstalled} />;
}

function Fault(props: { row: Staged; error: NonNullable<Staged['error']>; isInstalled: boolean }): ReactNode {
  const t = useWords(appsWords);
  const { row, error, isInstalled } = props;
  const { title, hint, mend } = useReason()(error);
  const setting = settingIn(error);
  const language = useLanguage();
  // The title and the path below it say as much as `data.amounts.total is missing`.
  const isMessageShown = error.code === 'vendor_refused' || (language === 'en' && error.code !== 'missing');
  const tone = row.status === 'failed' ? 'bad' : row.status === 'pending' ? 'warn' : 'info';
  return (
    <Notice tone={tone}>
      <div className="apps-mend">
        <strong>{title}</strong>
        {isMessageShown && <bdi className="soft small">{error.message}</bdi>}
        {error.path !== '' && (
          <span>
            {t('where')} <code className="ltr">{error.path}</code>
          </span>
        )}
        {hint !== undefined && <span>{hint}</span>}
        {isInstalled && (mend === 'setting' || mend === 'vendor') && (
          <Link
            to="/apps/$id"
            params={{ id: row.organization_app_id }}
            {...(setting !== undefined && { search: { field: setting } })}
          >
            {t('openSettings')}
          </Link>
        )}
        {mend === 'payment' && row.order_id !== null && (
          <Link to="/orders/$id" params={{ id: row.order_id }}>
            {t('openOrder')}
          </Link>
        )}
      </div>
    </Notice>
  );
}

/** An order without a branch: the vendor's store is not mapped yet. */
function Unmapped({ row, isInstalled }: { row: Staged; isInstalled: boolean }): ReactNode {
  const t = useWords(appsWords);
  const mayRead = useMay()('read:Orders');
  const isOrder = row.order_id !== null && (row.outcome === 'created' || row.outcome === 'updated');
  const order = useRead(
    'getOrder',
    { path: { id: row.order_id ?? '' }, query: { format: 'canonical' } },
    { enabled: isOrder && isInstalled && mayRead },
  );
  const branch = order.data?.order.branch;
  if (branch === undefined || branch.name !== null || branch.reference === null) return null;
  return (
    <Notice tone="warn">
      <div className="apps-mend">
        <strong>{t('unmapped')}</strong>
        <span>{t('unmappedHint', { store: branch.reference })}</span>
        <Link
          to="/apps/$id"
          params={{ id: row.organization_app_id }}
          search={{ field: 'branches', store: branch.reference }}
        >
          {t('openMapping')}
        </Link>
      </div>
    </Notice>
  );
}
