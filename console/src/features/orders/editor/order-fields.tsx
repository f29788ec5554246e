import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useBranchList } from '../../../ui/branch-names.ts';
import { DayTimeField } from '../../../ui/day-field.tsx';
import { Card, Field, Select } from '../../../ui/index.ts';
import { useMethodName } from '../../../ui/method-names.ts';
import { type Faults, FULFILLMENT_METHODS, type OrderValues } from './values.ts';
import { editorWords } from './words.ts';

export type PartProps = {
  values: OrderValues;
  onChange(part: Partial<OrderValues>): void;
  faults: Faults;
};

const UNSET = '';

/** First, because it decides which products there are and what they cost. */
export function BranchField({ values, onChange, faults }: PartProps): ReactNode {
  const t = useWords(editorWords);
  const branches = useBranchList();
  const isKnown = branches.some(({ id }) => id === values.branch);
  return (
    <Card title={t('branch')}>
      <div className="order-editor-part">
        <Select
          label={t('branch')}
          hideLabel
          value={isKnown ? values.branch : UNSET}
          onChange={(branch) => onChange({ branch })}
          options={[
            { value: UNSET, text: t('noBranch') },
            ...branches.map(({ id, name }) => ({ value: id, text: name })),
          ]}
        />
        {faults.branch !== undefined && (
          <p className="ui-error-text" role="alert">
            {t('wrong.branch')}
          </p>
        )}
      </div>
    </Card>
  );
}

export function CustomerFields({ values, onChange }: PartProps): ReactNode {
  const t = useWords(editorWords);
  return (
    <>
      <Field label={t('name')} value={values.customerName} onChange={(customerName) => onChange({ customerName })} />
      <div className="order-editor-two">
        <Field
          label={t('phone')}
          value={values.customerPhone}
          onChange={(customerPhone) => onChange({ customerPhone })}
          inputMode="tel"
          maxLength={50}
          ltr
        />
        <Field
          label={t('email')}
          value={values.customerEmail}
          onChange={(customerEmail) => onChange({ customerEmail })}
          inputMode="email"
          ltr
        />
      </div>
    </>
  );
}

const ADDRESS_PARTS = ['street', 'district', 'city', 'building', 'postal_code', 'country', 'address'] as const;

/** Promised time, method, receiver and address. */
export function DeliveryFields({ values, onChange }: PartProps): ReactNode {
  const t = useWords(editorWords);
  const method = useMethodName();
  const partName = (part: string) => {
    const known = ADDRESS_PARTS.find((one) => one === part);
    return known === undefined ? part : t(known);
  };
  return (
    <Card title={t('delivery')}>
      <div className="order-editor-part">
        <Select
          label={t('method')}
          value={values.fulfillmentMethod}
          onChange={(fulfillmentMethod) => onChange({ fulfillmentMethod })}
          options={[
            { value: UNSET, text: t('unset') },
            ...FULFILLMENT_METHODS.map((value) => ({ value, text: method(value) ?? value })),
          ]}
        />
        <DayTimeField
          label={t('promised')}
          value={values.promised}
          onChange={(promised) => onChange({ promised })}
          clearable
        />
        {Object.entries(values.address).map(([part, text]) => (
          <Field
            key={part}
            label={partName(part)}
            value={text}
            onChange={(next) => onChange({ address: { ...values.address, [part]: next } })}
          />
        ))}
        <div className="order-editor-two">
          <Field
            label={t('receiverName')}
            value={values.receiverName}
            onChange={(receiverName) => onChange({ receiverName })}
          />
          <Field
            label={t('receiverPhone')}
            value={values.receiverPhone}
            onChange={(receiverPhone) => onChange({ receiverPhone })}
            inputMode="tel"
            maxLength={50}
            ltr
          />
        </div>
        <Field
          label={t('comment')}
          value={values.comment}
          onChange={(comment) => onChange({ comment })}
          lines={2}
          maxLength={5000}
        />
      </div>
    </Card>
  );
}
