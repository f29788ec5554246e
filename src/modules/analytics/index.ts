export { createSensy, type Sensy } from './sensy/index.ts';
