/**
 * What a payment provider is and what it can do. A provider is one folder of pure functions that meet this file, and one line
 * in list.ts; everything it needs is handed to it, calls to the provider included. See README.md for how to add one.
 */
export type {
  App,
  AppSettings,
  Credentials,
  PaymentStatus,
  ReadContext,
  SignatureContext,
  StagedCall,
  VendorAnswer,
  VendorCall,
  VendorClient,
} from '../channels/contract.ts';
export {
  findIdInBody,
  hasIngestToken,
  MissingCredentials,
  readerOfCall,
  VendorRefused,
  VendorUnavailable,
} from '../channels/contract.ts';
export { basic, bearer, transactionIn, understood } from './contract/answers.ts';
export {
  findReference,
  fromMinor,
  getAmount,
  getCurrency,
  getMapped,
  isSignedByFields,
  sentText,
} from './contract/fields.ts';
export { type LineItem, toWholeItems, type WholeItem } from './contract/line-items.ts';
export { type PaylinkStatus, paylinkMayBecome, statusByAmounts } from './contract/paylink-status.ts';
export type {
  BnplProvider,
  CancelRequest,
  CaptureRequest,
  CreatedPaylink,
  Notice,
  PaylinkDriver,
  PaylinkRequest,
  ProviderPayment,
} from './contract/paylinks.ts';
export {
  authoriseInSandbox,
  cancelInSandbox,
  captureInSandbox,
  openInSandbox,
  type SandboxOutcome,
  type SandboxPayment,
} from './contract/sandbox.ts';
export type { GatewayProvider, GatewayTransaction, ParsedTransaction, SignedFields } from './contract/transactions.ts';
export { transactionMayBecome } from './contract/transactions.ts';

import type { BnplProvider } from './contract/paylinks.ts';
import type { GatewayProvider } from './contract/transactions.ts';

export type Provider = BnplProvider | GatewayProvider;
