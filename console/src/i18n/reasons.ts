/** Refusals of the service by their sentence; `X-Error-Reason` words go through the same table. */
const ARABIC: Record<string, string> = {
  'Invalid status transition': 'لا يمكن الانتقال إلى هذه الحالة',
  'invalid-status-transition': 'لا يمكن الانتقال إلى هذه الحالة',
  'Payment status conflict': 'حالة الدفع هذه تخالف ما أكدته جهة أوثق، أو أن المبلغ قد رُدّ',
  'payment-status-conflict': 'حالة الدفع هذه تخالف ما أكدته جهة أوثق، أو أن المبلغ قد رُدّ',
  'Vendor refused': 'رفضت المنصة هذا التغيير',
  'vendor-refused': 'رفضت المنصة هذا التغيير',
  'Vendor unavailable': 'المنصة لا تستجيب الآن، ولم يُحفظ شيء',
  'vendor-unavailable': 'المنصة لا تستجيب الآن، ولم يُحفظ شيء',
  'Order not found': 'الطلب غير موجود',
  'order-not-found': 'الطلب غير موجود',
  'Product not found': 'المنتج غير موجود',
  'Brand not found': 'العلامة غير موجودة',
  'Category not found': 'التصنيف غير موجود',
  'Brand does not exist': 'العلامة غير موجودة',
  'Category does not exist': 'التصنيف غير موجود',
  'Duplicate barcode': 'هذا الباركود لمنتج آخر',
  'Product iv_id already exists': 'هذا الرمز لمنتج آخر',
  'Duplicate iv_id in this request': 'الرمز مكرر في الملف',
  'SKU not found': 'المنتج غير موجود في هذا الفرع',
  'Not found': 'غير موجود',
  'Invalid request parameters': 'طلب غير صالح',
  'Validation failed': 'تحقّق من القيم المدخلة',
  'Billing suspended': 'الحساب موقوف لعدم السداد',
  'billing-suspended': 'الحساب موقوف لعدم السداد',
  'Invalid email or password': 'البريد الإلكتروني أو كلمة المرور غير صحيحة',
  'Second factor required': 'أدخل رمز التحقق',
  'VAT number missing': 'أضف الرقم الضريبي للمنشأة أولًا',
  'Order without a branch': 'لا فرع لهذا الطلب، والفاتورة يصدرها فرع',
  'Amounts do not add up': 'مبالغ الطلب لا تتوافق',
  'Too many requests': 'طلبات كثيرة: حاول بعد قليل',
};

export function reasonInArabic(reason: string, sentence: string): string | undefined {
  return ARABIC[reason] ?? ARABIC[sentence];
}
