/**
 * The contract of apps and channels. A channel is one folder of pure functions that implement it, and one line in list.ts. Its
 * dependencies, including the client that calls the vendor, are passed to it. See README.md for how to add one.
 */
export { addressOf, joined } from './contract/address.ts';
export { absolute, findCharged, foldOptions, type LineOption, nameWith, ONE, priceOfOne } from './contract/amounts.ts';
export type { App, AppFamily, AppKind, Inbound, InboundAuthentication, SignatureContext } from './contract/app.ts';
export { needsWebhookSecret } from './contract/app.ts';
export type {
  Channel,
  Page,
  ParsedPayload,
  PollPosition,
  PushedOrder,
  ReadContext,
  StagedCall,
} from './contract/channel.ts';
export { readerOfCall } from './contract/channel.ts';
export { findIdInBody, hasIngestToken } from './contract/inbound.ts';
export { isAbsent, type PartSources, totalAt, type Unmarked, withMentions } from './contract/mentions.ts';
export type {
  AddedUp,
  ChannelLine,
  ChannelOrder,
  FulfillmentStatus,
  OrderAmounts,
  OrderPart,
  OrderStatus,
  Party,
  PaymentStatus,
} from './contract/order.ts';
export { amountsDiffer, linesSubtotal } from './contract/order.ts';
export { readOwnOrder } from './contract/own-order.ts';
export { findPaymentMethod } from './contract/payment-method.ts';
export { placeAt } from './contract/place.ts';
export { type AppSettings, SECRET_SETTINGS, SETTING_SCHEMAS, type SettingName } from './contract/settings.ts';
export { findStoreId } from './contract/store.ts';
export { bearerOf, clientCredentials, tokenOf } from './contract/token.ts';
export { withVatPlaced } from './contract/vat.ts';
export type { Credentials, VendorAnswer, VendorCall, VendorClient } from './contract/vendor.ts';
export {
  CredentialsOfAnotherOrigin,
  MissingCredentials,
  VendorAnswerTooLarge,
  VendorRefused,
  VendorUnavailable,
} from './contract/vendor.ts';
export { findWord } from './contract/words.ts';
