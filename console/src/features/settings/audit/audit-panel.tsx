import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useFieldName } from '../../../ui/audit-fields/use-field-name.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Facts } from '../../../ui/index.ts';
import { useAuditNames } from './use-audit-names.ts';
import { auditWords } from './words.ts';

/** One audit entry in full. */
export default function AuditPanel(props: {
  entry: Schemas['AuditEntry'];
  onHistory(id: string): void;
  onClose(): void;
}): ReactNode {
  const t = useWords(auditWords);
  const names = useAuditNames();
  const fieldName = useFieldName();
  const { dateTime, hijri } = useFormat();
  const { entry, onHistory, onClose } = props;
  return (
    <Dialog
      title={`${names.action(entry.action)} · ${names.resource(entry.resource)}`}
      isOpen
      onClose={onClose}
      place="side"
      foot={entry.resource_id !== '' && <Button onPress={() => onHistory(entry.resource_id)}>{t('history')}</Button>}
    >
      <div className="settings-stack">
        <Facts
          facts={[
            [
              t('when'),
              <span key="when">
                {dateTime(entry.at)} <span className="soft small">{hijri(entry.at)}</span>
              </span>,
            ],
            [
              t('who'),
              <span key="who">
                {names.actor(entry.actor)} <span className="soft small">{names.kind(entry.actor.kind)}</span>
              </span>,
            ],
            [
              t('fields'),
              entry.changed_fields.length === 0 ? (
                '—'
              ) : (
                <span key="fields" className="settings-fields">
                  {entry.changed_fields.map((field) => (
                    <bdi key={field} title={field}>
                      {fieldName(field)}
                    </bdi>
                  ))}
                </span>
              ),
            ],
            entry.ip === ''
              ? undefined
              : [
                  t('where'),
                  <span key="ip" className="ltr">
                    {entry.ip}
                  </span>,
                ],
          ]}
        />
        <p className="soft small">{t('noValues')}</p>
        {entry.resource_id !== '' && <CopyText label={t('record')} text={entry.resource_id} />}
        {entry.request_id !== '' && <CopyText label={t('request')} text={entry.request_id} />}
      </div>
    </Dialog>
  );
}
