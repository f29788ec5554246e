import { type ReactNode, useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { commonWords, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Button, Dialog, Loaded } from '../../../ui/index.ts';
import './invoice.css';
import { InvoiceDocument } from './invoice-document.tsx';
import { invoiceWords } from './invoice-words.ts';

/** The browser prints it or saves it as PDF: it shapes Arabic text, which small PDF libraries do not. */
export default function InvoiceDialog({ number, onClose }: { number: string; onClose(): void }): ReactNode {
  const t = useWords(invoiceWords);
  const common = useWords(commonWords);
  const invoice = useRead('getOwnInvoice', { path: { number } });
  return (
    <Dialog
      title={t('title', { number })}
      size="wide"
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('close')}</Button>
          <Button look="primary" icon="print" isDisabled={invoice.data === undefined} onPress={() => window.print()}>
            {t('print')}
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
