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
  summary: `Upload past sales and stock as CSV, up to ${MAX_UPLOAD_ROWS} rows`,
  description:
    "The template's columns in any order, as the form field `file` or as the body itself: UTF-8 with or without a byte order mark, comma or semicolon. `sku_id` (the SKU's iv_id), `sale_date` and `qty` are required; an empty cell of the others changes nothing. An uploaded day of a SKU replaces an earlier upload and the service's own sales of that day. The file is processed in the background: valid rows are saved in one transaction; the first 1,000 invalid ones are reported by line and column in the `result` of the job. A job without a valid row fails, with the same list in the `details` of its `error`. After the job has succeeded the forecasts are recomputed.",
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
