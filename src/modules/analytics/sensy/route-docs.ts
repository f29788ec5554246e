import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { DEMAND_COLUMNS } from '../demand-upload/demand-columns.ts';
import * as shapes from './schema.ts';

const tags = ['Analytics'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
export const csv = (description: string) => ({
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
  summary: 'What each SKU will sell and when it runs out, those most at risk first',
  description:
    'SKUs that have ever sold or been uploaded. Made in the background once a day and after uploads and changes; `stale` says whether that is still to come. An account confined to one branch sees that branch.',
  querystring: shapes.ForecastQuery,
  response: { 200: shapes.SensyAnswer, ...refusals },
};

export const readDemandTemplateDoc = {
  tags,
  operationId: 'readDemandTemplate',
  summary: 'An empty CSV file for past sales, to be filled in and uploaded',
  description: `The columns are ${DEMAND_COLUMNS.join(', ')}. sku_id is the SKU's iv_id.`,
  response: { 200: csv('The header'), ...refusals },
};

export const exportDemandDoc = {
  tags,
  operationId: 'exportDemand',
  summary: 'Demand by SKU and day as CSV, with the stock as it is',
  description:
    "The template's columns, so that it can be uploaded again: what was uploaded, and the sales of all other days up to yesterday. Days without any are left out. Four at a time for an organization. Needs the export grant.",
  response: { 200: csv('The days, by SKU'), ...refusals },
};

export const readForecastSettingsDoc = {
  tags,
  operationId: 'readForecastSettings',
  summary: 'What suggested orders go by',
  description: 'Of the whole organization. A threshold and buffer of its own, on the SKU, goes before these.',
  response: { 200: shapes.ForecastSettingsShape, ...refusals },
};

export const changeForecastSettingsDoc = {
  tags,
  operationId: 'changeForecastSettings',
  summary: 'Change what suggested orders go by',
  description: 'Absent fields keep their value. All forecasts are made anew soon after.',
  body: shapes.ForecastSettingsChange,
  response: { 200: shapes.ForecastSettingsAnswer, ...refusals },
};
