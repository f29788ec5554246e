import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { showPhone } from '../../../ui/contact-links.ts';
import { Picker } from '../../../ui/picker.tsx';
import { editorWords } from './words.ts';

type Customer = Schemas['Customer'];
const MAX_FOUND = 8;

/** Fills in a customer who has ordered before. */
export function CustomerSearch({ onChoose }: { onChoose(customer: Customer): void }): ReactNode {
  const t = useWords(editorWords);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Customer>();
  const found = useRead(
    'listCustomers',
    { query: { search: text, limit: MAX_FOUND } },
    { enabled: text.trim().length > 1, keepPrevious: true },
  );
  const customers = text.trim().length > 1 ? (found.data?.data ?? []) : [];
  return (
    <Picker
      label={t('findCustomer')}
      placeholder={t('findCustomerHint')}
      chosen={chosen && optionOf(chosen)}
      options={customers.map(optionOf)}
      onText={setText}
      onChoose={(option) => {
        const customer = customers.find(({ id }) => id === option?.id);
        setChosen(customer);
        if (customer !== undefined) onChoose(customer);
      }}
      empty={t('noCustomer')}
    />
  );
}

function optionOf({ id, name, phone, email }: Customer) {
  const contact = phone === null ? email : showPhone(phone);
  return { id, text: name ?? contact ?? id, ...(contact !== null && { note: contact }) };
}
