type CleanUp = () => unknown;

const cleanUps: CleanUp[] = [];

/**
 * Done when the tests of this file are done, the last one first. Not `afterAll`, which is heard from the top of a file and
 * from `beforeAll` but is lost inside a test: what was left running there would stay with the process, and so with all the
 * files it has yet to test.
 */
export function atEndOfFile(cleanUp: CleanUp): void {
  cleanUps.push(cleanUp);
}

/** Runs every clean-up and throws the first error. */
export async function cleanUpFile(): Promise<void> {
  const faults: unknown[] = [];
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    try {
      await cleanUp();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
