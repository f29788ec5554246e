import { useState } from 'react';
import { readStored, useOrganization, writeStored } from '../../platform/index.ts';

export type KeptUpload = { job: string; file: string; at: string };
const AT_MOST = 5;

/** The last uploads from this browser, restored after leaving the page. */
export function useKeptUploads() {
  const name = `forecasts.uploads.${useOrganization().id}`;
  const [uploads, setUploads] = useState<readonly KeptUpload[]>(() => {
    const text = readStored(name);
    return text === null ? [] : (JSON.parse(text) as KeptUpload[]);
  });
  function change(next: readonly KeptUpload[]): void {
    writeStored(name, next.length === 0 ? null : JSON.stringify(next));
    setUploads(next);
  }
  return {
    uploads,
    add: (upload: KeptUpload) => change([upload, ...uploads].slice(0, AT_MOST)),
    remove: (job: string) => change(uploads.filter((upload) => upload.job !== job)),
  };
}
