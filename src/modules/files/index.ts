export { fileUrlsFor } from './file-url.ts';
export { formParts } from './form-parts.ts';
export { type Form, type FormFile, installForms, openUpload, readForm } from './read-form.ts';
export type { Upload } from './receive-files.ts';
export { abandonFiles, type FileTools, removeUnclaimed } from './remove-files.ts';
export { fileRoutes } from './routes.ts';
