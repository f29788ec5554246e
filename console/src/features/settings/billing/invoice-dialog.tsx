import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { commonWords, useLanguage, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useRead } from '../../../platform/index.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { Button, Dialog, Loaded, showToast } from '../../../ui/index.ts';
import './invoice.css';
import { InvoiceDocument } from './invoice-document.tsx';
import { invoiceWords } from './invoice-words.ts';

export default function InvoiceDialog({ number, onClose }: { number: string; onClose(): void }): ReactNode {
  const t = useWords(invoiceWords);
  const common = useWords(commonWords);
  const invoice = useRead('getOwnInvoice', { path: { number } });
  const api = useApi();
  const language = useLanguage();
  const explain = useExplainError();
  const pdf = useMutation({
    mutationFn: () => api.call('getOwnInvoicePdf', { path: { number }, query: { language } }),
    onSuccess: (file) => saveFile(`${number}.pdf`, file),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title }),
  });
  return (
    <Dialog
      title={t('title', { number })}
      size="wide"
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('close')}</Button>
          <Button icon="print" isDisabled={invoice.data === undefined} onPress={() => window.print()}>
            {t('print')}
          </Button>
          <Button look="primary" icon="export" isPending={pdf.isPending} onPress={() => pdf.mutate()}>
            {t('download')}
          </Button>
        </>
      }
    >
      <Loaded of={invoice} rows={8}>
        {(found) => (
          <>
            <InvoiceDocument invoice={found} />
            <A4Sheet>
              <InvoiceDocument invoice={found} />
            </A4Sheet>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** Printed in place of the page, by the button and by Ctrl+P alike: it exists only while the browser prints. */
function A4Sheet({ children }: { children: ReactNode }): ReactNode {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true));
    const after = () => setPrinting(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return isPrinting ? createPortal(<div className="invoice-sheet">{children}</div>, document.body) : null;
}
