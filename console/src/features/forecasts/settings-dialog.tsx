import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { readNumber } from '../../i18n/read-number.ts';
import { changedFields, fieldErrors, useApi, useExplainError, useRead, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Field, Loaded, Notice, showToast } from '../../ui/index.ts';
import { forecastsWords } from './words.ts';

type Settings = Schemas['ForecastSettings'];

export function SettingsDialog({ onClose }: { onClose(): void }): ReactNode {
  const t = useWords(forecastsWords);
  const settings = useRead('readForecastSettings', {});
  return (
    <Dialog title={t('settingsTitle')} isOpen onClose={onClose}>
      {/* Cached settings are shown at once; if they have changed, the form restarts with the new ones. */}
      <Loaded of={settings}>{(now) => <SettingsForm key={JSON.stringify(now)} now={now} onClose={onClose} />}</Loaded>
    </Dialog>
  );
}

function SettingsForm({ now, onClose }: { now: Settings; onClose(): void }): ReactNode {
  const t = useWords(forecastsWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [typed, setTyped] = useState({
    lead_time_days: String(now.lead_time_days),
    service_level: String(Math.round(now.service_level * 1000) / 10),
    reorder_threshold: String(now.reorder_threshold),
    buffer: String(now.buffer),
  });
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: async (wanted: Settings) => {
      const body = changedFields(now, wanted);
      if (Object.keys(body).length > 0) await api.call('changeForecastSettings', { body });
    },
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('settingsSaved') });
      onClose();
      await readAgain('readForecastSettings', 'readSensy', 'readConsumption');
    },
  });
  const refused = fieldErrors(save.error);

  const lead = within(typed.lead_time_days, 1, 90, true);
  const level = within(typed.service_level, 50, 99.9, false);
  const threshold = within(typed.reorder_threshold, 0, 1e12, false);
  const buffer = within(typed.buffer, 0, 1e12, false);
  const wrong = (value: number | undefined, text: string, name: keyof Settings) =>
    refused[name] ?? (isTried && value === undefined ? text : undefined);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (lead === undefined || level === undefined || threshold === undefined || buffer === undefined) return;
    save.mutate({
      lead_time_days: lead,
      service_level: Math.round(level * 10) / 1000,
      reorder_threshold: threshold,
      buffer,
    });
  }
  const field = (name: keyof Settings) => ({
    value: typed[name],
    onChange: (text: string) => setTyped({ ...typed, [name]: text }),
    inputMode: 'decimal' as const,
    ltr: true,
  });
  return (
    <form className="forecasts-settings" onSubmit={submit} noValidate>
      {save.isError && Object.keys(refused).length === 0 && <Notice tone="bad">{explain(save.error).title}</Notice>}
      <Field
        {...field('lead_time_days')}
        label={t('leadTime')}
        hint={t('leadTimeHint')}
        error={wrong(lead, t('badNumber', { from: 1, to: 90 }), 'lead_time_days')}
      />
      <Field
        {...field('service_level')}
        label={t('serviceLevel')}
        hint={t('serviceLevelHint')}
        error={wrong(level, t('badNumber', { from: 50, to: 99.9 }), 'service_level')}
      />
      <Field
        {...field('reorder_threshold')}
        label={t('threshold')}
        hint={t('thresholdHint')}
        error={wrong(threshold, t('badAmount'), 'reorder_threshold')}
      />
      <Field
        {...field('buffer')}
        label={t('buffer')}
        hint={t('bufferHint')}
        error={wrong(buffer, t('badAmount'), 'buffer')}
      />
      <div className="forecasts-form-foot">
        <Button onPress={onClose}>{common('cancel')}</Button>
        <Button look="primary" type="submit" isPending={save.isPending}>
          {common('save')}
        </Button>
      </div>
    </form>
  );
}

function within(text: string, least: number, most: number, isWhole: boolean): number | undefined {
  const value = readNumber(text);
  if (value === undefined || value < least || value > most || (isWhole && !Number.isInteger(value))) return undefined;
  return value;
}
