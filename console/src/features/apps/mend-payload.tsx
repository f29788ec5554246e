import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { fieldErrors, useApi, useExplainError, useReadAgain } from '../../platform/index.ts';
import { Button, Dialog, Field, Notice, showToast } from '../../ui/index.ts';
import { healthWords } from './health-words.ts';

/** Sends the text as it was typed, so that long numbers keep their digits; it is parsed only to check it. */
export default function MendPayload(props: { id: string; text: string; onClose(): void }): ReactNode {
  const t = useWords(healthWords);
  const common = useWords(commonWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const { id, text, onClose } = props;
  const [typed, setTyped] = useState(text);
  const fault = faultIn(typed);
  const save = useMutation({
    mutationFn: async () => {
      await api.call('mendStagedPayload', { path: { id }, body: { payload: typed } });
      await api.call('retryStagedPayload', { path: { id } });
    },
    onSuccess: () => {
      showToast({ tone: 'good', text: t('saved') });
      onClose();
    },
    onSettled: () => readAgain('getStagedPayload', 'listStagedPayloads'),
  });
  const refused = fieldErrors(save.error).payload;
  return (
    <Dialog
      title={t('editTitle')}
      isOpen
      onClose={onClose}
      isFilled={typed !== text}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button
            look="primary"
            isDisabled={fault !== undefined || typed === text}
            isPending={save.isPending}
            onPress={() => save.mutate()}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      {save.error !== null && refused === undefined && <Notice tone="bad">{explain(save.error).title}</Notice>}
      <div className="apps-editor">
        <Field
          label={t('editTitle')}
          hint={t('editHint')}
          value={typed}
          onChange={setTyped}
          error={fault === undefined ? refused : t('notJson', { reason: fault })}
          lines={18}
          spellCheck="false"
          autoFocus
          ltr
        />
      </div>
    </Dialog>
  );
}

function faultIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
