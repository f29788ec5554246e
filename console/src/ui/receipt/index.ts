export { PrintSheet } from './print-sheet.tsx';
export { Receipt, type ReceiptData } from './receipt.tsx';
