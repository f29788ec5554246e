export * from './matrix.ts';
