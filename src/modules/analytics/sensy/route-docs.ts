import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { DEMAND_COLUMNS } from '../demand-upload/demand-columns.ts';
import * as shapes from './schema.ts';

const tags = ['Analytics'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const csv = (description: string) => ({
  description,
  content: {
    'text/csv': {
      schema: Type.String({ title: 'DemandCsv', examples: [`${DEMAND_COLUMNS.join(',')}\r\n`] }),
    },
  },
});

export const readSensyDoc = {
  tags,
  operationId: 'readSensy',
  summary: 'List forecasts of demand and stockouts by SKU',
  description:
    'SKUs with sales or uploaded demand, those most at risk first. Computed in the background once a day and after uploads and changes; `stale` is true while a newer forecast is pending. An account confined to one branch sees that branch.',
  querystring: shapes.ForecastQuery,
  response: { 200: shapes.SensyAnswer, ...refusals },
};

export const readDemandTemplateDoc = {
  tags,
  operationId: 'readDemandTemplate',
  summary: 'Download an empty CSV file for past sales',
  description: `The columns are ${DEMAND_COLUMNS.join(', ')}. sku_id is the SKU's iv_id.`,
  response: { 200: csv('The header'), ...refusals },
};

export const exportDemandDoc = {
  tags,
  operationId: 'exportDemand',
  summary: 'Export demand by SKU and day as CSV, with the current stock',
  description:
    "The template's columns, so that the file can be uploaded again: uploaded demand, and sales on all other days up to yesterday. Days without demand are left out. At most four concurrent exports per organization. Requires the export grant.",
  response: { 200: csv('The days, by SKU'), ...refusals },
};

export const readForecastSettingsDoc = {
  tags,
  operationId: 'readForecastSettings',
  summary: 'Read the settings of suggested orders',
  description: 'For the whole organization. A threshold and buffer on the SKU take precedence.',
  response: { 200: shapes.ForecastSettingsShape, ...refusals },
};

export const changeForecastSettingsDoc = {
  tags,
  operationId: 'changeForecastSettings',
  summary: 'Change the settings of suggested orders',
  description: 'Absent fields keep their value. All forecasts are recomputed soon after.',
  body: shapes.ForecastSettingsChange,
  response: { 200: shapes.ForecastSettingsAnswer, ...refusals },
};
