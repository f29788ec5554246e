import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { tooLarge, unprocessable } from '../../../platform/http/problem.ts';
import { QueuedAnswer } from '../../jobs/index.ts';
import { MAX_UPLOAD_ROWS } from './collect-demand.ts';
import { DEMAND_COLUMNS } from './demand-columns.ts';
import { MAX_UPLOAD_BYTES, tooManyUploads } from './receive-demand-file.ts';

const exampleCsv = `${DEMAND_COLUMNS.join(',')}\r\nPAIN-0003_RUH-OLAYA,Panadol Advance,2026-11-01,6,8.75,42,12,4\r\n`;
const FormBody = Type.Object(
  { file: Type.String({ format: 'binary', description: 'The CSV file' }) },
  { title: 'DemandUploadForm', examples: [{ file: exampleCsv }] },
);

export const uploadDemandDoc = {
  tags: ['Analytics'],
  operationId: 'uploadDemand',
  summary: `Past sales and stock as CSV, up to ${MAX_UPLOAD_ROWS} rows; done in the background`,
  description:
    "The template's columns in any order, as the form field `file` or as the body itself: UTF-8 with or without a byte order mark, comma or semicolon. `sku_id` (the SKU's iv_id), `sale_date` and `qty` are required; an empty cell of the others changes nothing. A day of a SKU that is there already is replaced, and stands in place of the service's own sales of that day. Good rows are saved, all at once; bad ones are told by line and column in the `result` of the job, the first 1,000 of them. A job whose file has no row that could be used fails, with the same list in the `details` of its `error`. Once the job has succeeded the forecasts are being made anew.",
  takes: ['idempotency-key'] as const,
  refuses: [
    unprocessable({ sale_date: 'this column is missing' }),
    tooLarge({ file: `must be at most ${MAX_UPLOAD_BYTES} bytes` }),
    tooManyUploads(),
  ],
  body: {
    content: {
      'multipart/form-data': { schema: FormBody },
      'text/csv': { schema: Type.String({ title: 'DemandCsvBody', examples: [exampleCsv] }) },
    },
  },
  response: { 202: QueuedAnswer, '4xx': ProblemSchema, '5xx': ProblemSchema },
};
