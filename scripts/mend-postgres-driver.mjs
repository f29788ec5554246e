// Mends postgres.js 3.4.9 where the database goes away and comes back; runs after every install.
//
// 1. What is left to be written when a connection closes stays behind: its timer is cleared but not forgotten, so nothing is
//    written on that connection ever again, and each query it is given runs into the connect timeout. The answers that were
//    not complete stay behind as well, and fail the first query of the next connection.
// 2. A late write to a closed connection throws outside of any query and ends the process (porsager/postgres#1154, #1208);
//    so does a connection that is lost while the driver asks for the array types.
// 3. A query that comes between a connection's error and its end, or that finds a server which closes at once, is never
//    answered.
// 4. A transaction whose connection was lost goes on with its next statement: on no connection, or, once the pool has
//    connected again, outside of any transaction or inside somebody else's.
//
// Rejected: a catch-all for uncaught exceptions, which heals none of it; `pg`, which reads rows at half the speed.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

const VERSION = '3.4.9';

const MENDS = {
  'src/connection.js': [
    [
      `    const x = socket.write(chunk, fn)
`,
      `    if (socket === null) {
      chunk = nextWriteTimer = null
      return false
    }
    const x = socket.write(chunk, fn)
`,
    ],
    [
      `    incomings = null
    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
`,
      `    incomings = null
    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)
`,
    ],
    [
      `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
      `    if (initial && options.host.length > 1)
      return reconnect()

    ;(initial || query || sent.length) && error(errorResponse || Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
`,
    ],
    [
      `        return fetchArrayTypes()
`,
      `        return fetchArrayTypes().catch(() => undefined)
`,
    ],
  ],
  'src/index.js': [
    [
      `        new Promise((_, reject) => connection.onclose = reject)
`,
      `        new Promise((_, reject) => connection.onclose = e => (lost = e, reject(e)))
`,
    ],
    [
      `    let savepoints = 0
      , connection
`,
      `    let savepoints = 0
      , lost = null
      , connection
`,
    ],
    [
      `        q.catch(e => uncaughtError || (uncaughtError = e))
`,
      `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
`,
    ],
    [
      `    c.reserved.release = true

    const sql = Sql(handler)
    sql.release = () => {
`,
      `    c.reserved.release = true
    let lost = null
    c.onclose = e => lost = e

    const sql = Sql(handler)
    sql.release = () => {
      if (lost)
        return
      c.onclose = null
`,
    ],
    [
      `    return sql

    function handler(q) {
      c.queue === full
        ? queue.push(q)
`,
      `    return sql

    function handler(q) {
      if (lost)
        return q.reject(lost)
      c.queue === full
        ? queue.push(q)
`,
    ],
  ],
};

const folder = join(root, 'node_modules', 'postgres');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
if (version !== VERSION) {
  throw new Error(`postgres ${version} is not the version these mends are for: see what of it is still needed`);
}

for (const [file, mends] of Object.entries(MENDS)) {
  const path = join(folder, file);
  let text = readFileSync(path, 'utf8');
  for (const [broken, whole] of mends) {
    if (text.includes(whole)) continue;
    if (text.split(broken).length !== 2) throw new Error(`${path} does not hold this exactly once:\n${broken}`);
    text = text.replace(broken, () => whole);
  }
  // In one step: a service that starts meanwhile reads the one or the other.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
