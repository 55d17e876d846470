# Run as a script at every build: writes version.hpp where the commit or the options have changed.
# cmake -D SOURCE= -D OUTPUT= -D VERSION= -D COMPILER= -D BUILD_TYPE= -D OPTIONS= -P version.cmake
find_package(Git QUIET)
set(COMMIT "unknown")
if(Git_FOUND)
  # Optional locks would get in the way of a commit made during the build.
  execute_process(
    COMMAND ${GIT_EXECUTABLE} --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
  if(status EQUAL 0)
    set(COMMIT ${described})
  endif()
endif()
configure_file(${SOURCE}/cmake/version.hpp.in ${OUTPUT} @ONLY)
