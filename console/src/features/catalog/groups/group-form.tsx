import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useDraft, useExplainError } from '../../../platform/index.ts';
import { Button, Dialog, Field, Notice, showToast } from '../../../ui/index.ts';
import { RestoredNotice } from '../../../ui/leave-guard.tsx';
import type { GroupKind } from '../group-picker.tsx';
import { useGroupCalls } from './group-calls.ts';
import { groupsWords } from './words.ts';

export function GroupForm({ kind, onClose }: { kind: GroupKind; onClose(): void }): ReactNode {
  const t = useWords(groupsWords);
  const common = useWords(commonWords);
  const explain = useExplainError();
  const { create } = useGroupCalls(kind);
  const { values: names, setValues: setNames, isRestored, clear } = useDraft(kind, { name_en: '', name_ar: '' });
  const close = () => {
    clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const isEmpty = names.name_en.trim() === '' && names.name_ar.trim() === '';
  const save = useMutation({
    mutationFn: () => create(names),
    onSuccess: () => {
      showToast({ tone: 'good', text: t(`${kind}.created`) });
      close();
    },
  });
  const refused = fieldErrors(save.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (!isEmpty) save.mutate();
  }
  return (
    <Dialog
      title={t(`${kind}.create`)}
      isOpen
      onClose={close}
      isFilled={isRestored}
      foot={
        <>
          <Button onPress={close}>{common('cancel')}</Button>
          <Button look="primary" type="submit" form="group-form" isPending={save.isPending}>
            {common('create')}
          </Button>
        </>
      }
    >
      <form id="group-form" className="catalog-stack" onSubmit={submit} noValidate>
        <RestoredNotice isShown={isRestored} />
        {save.isError && Object.keys(refused).length === 0 && <Notice tone="bad">{explain(save.error).title}</Notice>}
        <Field
          label={t('name_en')}
          autoFocus
          value={names.name_en}
          onChange={(name_en) => setNames((before) => ({ ...before, name_en }))}
          error={isTried && isEmpty ? t('nameNeeded') : refused.name_en}
        />
        <Field
          label={t('name_ar')}
          value={names.name_ar}
          onChange={(name_ar) => setNames((before) => ({ ...before, name_ar }))}
          error={refused.name_ar}
        />
      </form>
    </Dialog>
  );
}
