import fastify, { type FastifySerializerCompiler } from 'fastify';
import { encodeUtf8 } from '../text/encode-utf8.ts';

type Serialize = (answer: unknown) => string;

/** A shorter one is written together with the headers. */
const LONG_TEXT_CHARACTERS = 4_096;

const compileNow = await findCompiler();
const known = new WeakMap<object, Serialize>();

/**
 * A schema is compiled at its first response. Compiling all at startup took 1.3 s of CPU instead of 0.4; refusals share their schemas,
 * and most are never sent.
 */
export const compileSerializer: FastifySerializerCompiler<object> = (route) => {
  let serialize: Serialize | undefined;
  return (answer) => {
    serialize ??= compileOnce(route);
    return encodeLongText(serialize(answer)) as string;
  };
};

/** For answers that are complete as they are: without a schema. */
export const serializeAsIs = () => (answer: unknown) => encodeLongText(JSON.stringify(answer)) as string;

/** The framework takes bytes as well as text, though its type says text. */
function encodeLongText(text: string): string | Buffer {
  return text.length < LONG_TEXT_CHARACTERS ? text : encodeUtf8(text);
}

function compileOnce(route: Parameters<FastifySerializerCompiler<object>>[0]): Serialize {
  const compiled = known.get(route.schema) ?? (compileNow(route) as Serialize);
  known.set(route.schema, compiled);
  return compiled;
}

/** The framework's own compiler, which it does not export: it is readable on a server that is ready and has used it. */
async function findCompiler(): Promise<FastifySerializerCompiler<object>> {
  const app = fastify();
  app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => '');
  await app.ready();
  const compiler = app.serializerCompiler as FastifySerializerCompiler<object> | null;
  await app.close();
  if (compiler === null) throw new Error('the framework has not shown how it writes answers');
  return compiler;
}
