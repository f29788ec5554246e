import { open } from 'node:fs/promises';
import { writeCsv } from '../platform/csv/index.ts';

export type ReportedError = { line: number; ivId: string; message: string };

export type ErrorReport = { write(errors: readonly ReportedError[]): Promise<void>; close(): Promise<void> };

const HEADER = 'line,iv_id,message\n';

/**
 * Rows that failed, written as they come: JSON lines when the name ends in .jsonl, else CSV. A run that continues an
 * earlier one adds to its report.
 */
export async function openErrorReport(file: string, options: { append: boolean }): Promise<ErrorReport> {
  const asJson = file.toLowerCase().endsWith('.jsonl');
  const handle = await open(file, options.append ? 'a' : 'w');
  if (!asJson && (await handle.stat()).size === 0) await handle.appendFile(HEADER);
  return {
    async write(errors) {
      if (errors.length > 0) await handle.appendFile(errors.map(asJson ? toJson : toCsv).join(''));
    },
    close: () => handle.close(),
  };
}

function toJson({ line, ivId, message }: ReportedError): string {
  return `${JSON.stringify({ line, iv_id: ivId, message })}\n`;
}

function toCsv({ line, ivId, message }: ReportedError): string {
  return writeCsv([[line, ivId, message]], { lineEnd: '\n' });
}
