import { type FormEvent, type ReactNode, useState } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { Button, Dialog, Field } from '../../ui/index.ts';
import { ordersWords } from './words.ts';

const NAME_CHARACTERS = 60;

/** Asks for the name of a view. Loaded when it opens. */
export default function NameView({ onClose, onName }: { onClose(): void; onName(name: string): void }): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const [name, setName] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  }
  return (
    <Dialog title={t('saveViewTitle')} isOpen onClose={onClose}>
      <form className="orders-bulk" onSubmit={submit}>
        <p className="soft">{t('saveViewText')}</p>
        <Field label={t('viewName')} value={name} onChange={setName} maxLength={NAME_CHARACTERS} autoFocus />
        <div className="orders-form-foot">
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button look="primary" type="submit" isDisabled={name.trim() === ''}>
            {common('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
