import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, type Grant, useApi, useMay, useReadAgain } from '../../../platform/index.ts';
import { CopyText } from '../../../ui/copy-text.tsx';
import { Button, Dialog, Field, Notice } from '../../../ui/index.ts';
import { BranchChoice } from '../branch-choice.tsx';
import { type Lifetime, LifetimeChoice } from '../expiry.tsx';
import { Form } from '../form.tsx';
import { GrantMatrix } from '../grants/grant-matrix.tsx';
import { ACTIONS, grantOf, RESOURCES } from '../grants/grants.ts';
import { Refusal } from '../refusal.tsx';
import { settingsWords } from '../words.ts';
import { keysWords } from './words.ts';

const FORM = 'new-key';
const DAY_MS = 86_400_000;
/** Keys have no access to settings. */
const FOR_KEYS = RESOURCES.filter((resource) => resource !== 'Settings');
const PRESETS: Record<'none' | 'read' | 'orders' | 'catalog', readonly Grant[]> = {
  none: [],
  read: FOR_KEYS.map((resource) => grantOf('read', resource)),
  orders: ACTIONS.filter((action) => action !== 'delete').map((action) => grantOf(action, 'Orders')),
  catalog: ACTIONS.map((action) => grantOf(action, 'Products')).concat(grantOf('read', 'Branches')),
};

export default function NewKey({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(keysWords);
  const settings = useWords(settingsWords);
  const common = useWords(commonWords);
  const api = useApi();
  const may = useMay();
  const readAgain = useReadAgain();
  const [name, setName] = useState('');
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const [branch, setBranch] = useState<string | null>(null);
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [isTried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      api.call('createApiKey', {
        body: {
          name: name.trim(),
          grants: [...grants],
          branch_iv_id: branch,
          expires_at: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString(),
        },
      }),
    onSuccess: () => readAgain('listApiKeys'),
  });
  if (create.data !== undefined) return <KeyReady apiKey={create.data.api_key} onClose={onClose} />;
  function send(): void {
    setTried(true);
    if (name.trim() !== '') create.mutate();
  }
  const turn = (grant: Grant) =>
    setGrants((before) => (before.includes(grant) ? before.filter((other) => other !== grant) : [...before, grant]));
  return (
    <Dialog
      title={t('newTitle')}
      isOpen
      onClose={onClose}
      place="side"
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" isPending={create.isPending}>
            {t('make')}
          </Button>
        </>
      }
    >
      <Form id={FORM} onSend={send}>
        <Refusal
          error={create.error}
          words={{ 'too-many-api-keys': t('tooMany'), 'missing-grant': t('missingGrant') }}
        />
        <Field
          label={settings('name')}
          hint={t('nameHint')}
          value={name}
          onChange={setName}
          error={isTried && name.trim() === '' ? common('required') : undefined}
          maxLength={255}
          autoFocus
        />
        <div>
          <div className="settings-presets">
            <span className="ui-label">{t('scopes')}</span>
            <span className="settings-buttons">
              {(['none', 'read', 'orders', 'catalog'] as const).map((preset) => (
                <Button key={preset} look="quiet" size="small" onPress={() => setGrants(PRESETS[preset].filter(may))}>
                  {t(`preset.${preset}`)}
                </Button>
              ))}
            </span>
          </div>
          <GrantMatrix
            label={t('scopes')}
            resources={FOR_KEYS}
            isOn={(grant) => grants.includes(grant)}
            onTurn={turn}
            isDisabled={(grant) => !may(grant)}
          />
          <p className="soft small">{t('scopesHint')}</p>
        </div>
        <BranchChoice value={branch} onChange={setBranch} error={fieldErrors(create.error).branch_iv_id} />
        <LifetimeChoice value={lifetime} onChange={setLifetime} />
      </Form>
    </Dialog>
  );
}

function KeyReady({ apiKey, onClose }: { apiKey: string; onClose(): void }): ReactNode {
  const t = useWords(keysWords);
  const settings = useWords(settingsWords);
  return (
    <Dialog
      title={t('readyTitle')}
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" onPress={onClose}>
          {settings('done')}
        </Button>
      }
    >
      <div className="settings-stack">
        <Notice>{settings('once')}</Notice>
        <CopyText label={t('key')} text={apiKey} />
        <CopyText label={t('example')} text={`curl -H 'X-API-Key: ${apiKey}' ${window.location.origin}/api/v1/apps`} />
      </div>
    </Dialog>
  );
}
