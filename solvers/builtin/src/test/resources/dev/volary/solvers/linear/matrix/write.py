"""Writes the files beside it; run with scipy 1.17.1 and numpy 2.4.6."""
import numpy as np
import scipy.sparse as sp

A = np.array([[4, -1, 0, 0.5], [0, 3, -2, 0], [-0.25, 0, 5, 0], [0, 0, -1, 2]])
sp.save_npz("csr", sp.csr_matrix(A))
wide = sp.csr_array(A.astype("float32"))
wide.indices, wide.indptr = wide.indices.astype("int64"), wide.indptr.astype("int64")
sp.save_npz("csr_float32_int64_stored", wide, compressed=False)
unsorted = sp.csr_array(A)
for row in range(4):
    part = slice(unsorted.indptr[row], unsorted.indptr[row + 1])
    unsorted.indices[part] = unsorted.indices[part][::-1].copy()
    unsorted.data[part] = unsorted.data[part][::-1].copy()
sp.save_npz("csr_unsorted", unsorted)
sp.save_npz("csc", sp.csc_array(A))
row, column = np.nonzero(A)
half = A[row, column] / 2
sp.save_npz("coo_twice", sp.coo_array((np.tile(half, 2), (np.tile(row, 2), np.tile(column, 2))), shape=A.shape))
sp.save_npz("int16", sp.csr_array((4 * A).astype("int16")))
sp.save_npz("bool", sp.csr_array(A != 0))
sp.save_npz("complex", sp.csr_array(A * 1j))
sp.save_npz("bsr", sp.bsr_array(A))
sp.save_npz("rectangle", sp.csr_array(A[:3]))
np.savez("object", indices=[0], indptr=[0, 1], format=b"csr", shape=(1, 1), data=np.array([{}], dtype=object))
np.save("vector", np.array([6, -8], dtype=">f4"))
np.save("column", np.array([[6], [-8]]))
