import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { useExplainError } from '../../../platform/index.ts';
import { Button, Dialog, Notice, showToast } from '../../../ui/index.ts';
import { useChangeBranch } from '../use-change-branch.ts';
import { PlacePicker } from './place-picker.tsx';
import { locationOf, textOf } from './place-text.ts';
import { placePickerWords } from './words.ts';

/** Changes where a branch is. `branch` is the version that the dialog was opened with, so that a change of another user is found. */
export default function PlaceDialog({ branch, onClose }: { branch: Schemas['Branch']; onClose(): void }): ReactNode {
  const t = useWords(placePickerWords);
  const common = useWords(commonWords);
  const explain = useExplainError();
  const form = useId();
  const first = textOf(branch.location);
  const [value, setValue] = useState(first);
  const [isTried, setTried] = useState(false);
  const { change, dialog } = useChangeBranch(branch);
  const saving = useMutation({
    mutationFn: (location: Schemas['Branch']['location']) => change({ location }),
    onSuccess: () => {
      showToast({ tone: 'good', text: t('saved') });
      onClose();
    },
  });
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    const location = locationOf(value);
    if (location !== undefined) saving.mutate(location);
  }
  return (
    <Dialog
      title={t('title')}
      isOpen
      onClose={onClose}
      size="wide"
      isFilled={JSON.stringify(value) !== JSON.stringify(first)}
      foot={
        <>
          {branch.location !== null && (
            <Button look="quiet" onPress={() => saving.mutate(null)} isDisabled={saving.isPending}>
              {t('remove')}
            </Button>
          )}
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button type="submit" form={form} look="primary" isPending={saving.isPending}>
            {common('save')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={send} noValidate>
        {saving.error !== null && <Notice tone="bad">{explain(saving.error).title}</Notice>}
        <PlacePicker value={value} onChange={setValue} isTried={isTried} branchId={branch.id} />
      </form>
      {dialog}
    </Dialog>
  );
}
